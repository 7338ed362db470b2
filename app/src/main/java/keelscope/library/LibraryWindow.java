package keelscope.library;

import java.nio.file.Path;
import javafx.beans.binding.Bindings;
import javafx.scene.Scene;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.stage.Stage;
import keelscope.text.Texts;

/** The library in a window of its own beside the charts, so that runs can be tried one after the other. */
public final class LibraryWindow {
    private static final double WIDTH = 1180;
    private static final double HEIGHT = 560;

    private final Stage stage = new Stage();
    private final LibraryPane pane;

    /** @param owner the window whose looks it shares and with which it closes */
    public LibraryWindow(Stage owner, Path home, LibraryPane.Host host) {
        pane = new LibraryPane(home, host);
        Scene scene = new Scene(pane, WIDTH, HEIGHT);
        Bindings.bindContent(scene.getStylesheets(), owner.getScene().getStylesheets());
        scene.addEventHandler(KeyEvent.KEY_PRESSED, event -> {
            if (event.getCode() == KeyCode.ESCAPE) {
                stage.hide();
            }
        });
        stage.initOwner(owner);
        stage.setTitle(Texts.get("library.title"));
        stage.setScene(scene);
        stage.getIcons().setAll(owner.getIcons());
        stage.showingProperty().addListener((property, before, now) -> pane.watched(now));
    }

    public void show() {
        stage.show();
        stage.toFront();
    }

    public void hide() {
        stage.hide();
    }

    /** Whether it is on screen. */
    public boolean isShowing() {
        return stage.isShowing();
    }

    /** Its content. */
    public LibraryPane pane() {
        return pane;
    }

    /** Keeps in mind what was opened, so that it is found again. */
    public void remember(Path place) {
        pane.remember(place);
    }
}
