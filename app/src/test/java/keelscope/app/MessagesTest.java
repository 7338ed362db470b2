package keelscope.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.BackgroundFill;
import javafx.scene.layout.Region;
import javafx.scene.paint.Color;
import javafx.scene.text.Text;
import javafx.stage.Popup;
import javafx.stage.Window;
import keelscope.run.RecordedRun;
import keelscope.runfile.RunStatus;
import org.junit.jupiter.api.Test;

/** Messages that lie over the charts for a while. */
class MessagesTest extends WindowTest {
    @Test
    void messagesShortAndLongAreReadInFullWithinTheWindow() throws Exception {
        Path wrong = Files.writeString(folder.resolve("wrong.yaml"), "name: x\nmodle:\n  layers: 2\n");
        Path far = folder.resolve("a-folder-with-a-very-long-name-that-has-no-spaces-in-it-whatever-one-does").resolve("nowhere.yaml");
        for (boolean projector : List.of(false, true)) {
            until("earlier messages have gone", () -> messages().isEmpty());
            robot.interact(() -> {
                window.looks().projectorProperty().set(projector);
                window.open(far);
            });
            until("the first message is there", () -> messages().size() == 1);
            robot.interact(() -> window.open(wrong));
            until("the second is there, and both lie still", () -> messages().size() == 2 && messages().stream().allMatch(this::within));
            robot.interact(() -> messages().forEach(message -> message.lookupAll(".label").stream()
                    .filter(node -> node instanceof Label label && !label.getText().isEmpty())
                    .forEach(node -> assertThat(((Text) node.lookup(".text")).getText()).isEqualTo(((Label) node).getText()))));
        }
    }

    private boolean within(Node message) {
        Bounds bounds = message.localToScreen(message.getLayoutBounds());
        return bounds.getMinX() >= stage.getX()
                && bounds.getMaxX() <= stage.getX() + stage.getWidth()
                && bounds.getMinY() >= stage.getY()
                && bounds.getMaxY() <= stage.getY() + stage.getHeight();
    }

    @Test
    void aMessageInTheDarkOnAWallHasItsCrossInALightColour() {
        robot.interact(() -> {
            window.looks().darkProperty().set(true);
            window.looks().projectorProperty().set(true);
            window.open(folder.resolve("nowhere.yaml"));
        });
        until("the cross is light", () -> messages().size() == 1 && brightness(messages().get(0).lookup(".close-button > .graphic")) > 0.7);
        assertThat(brightness(messages().get(0).lookup(".pane"))).isLessThan(0.3);
    }

    private static double brightness(Node node) {
        List<BackgroundFill> fills = ((Region) node).getBackground().getFills();
        return ((Color) fills.get(fills.size() - 1).getFill()).getBrightness();
    }

    @Test
    void whatIsSaidAboveTheChartsIsNotSaidOverThemToo() {
        Path run = RecordedRun.write(folder, 8, 60, 40, RunStatus.STOPPED, "The loss is not a number at step 39, so training cannot go on.");
        robot.interact(() -> window.open(run));
        until("it is said", () -> exists("#notes .note-text"));
        assertThat(messages()).isEmpty();
    }

    private static List<Node> messages() {
        return Window.getWindows().stream()
                .filter(Popup.class::isInstance)
                .flatMap(popup -> ((Popup) popup).getContent().stream())
                .filter(node -> node.getStyleClass().contains("notification-bar"))
                .toList();
    }
}
