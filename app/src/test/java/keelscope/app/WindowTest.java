package keelscope.app;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javafx.scene.Node;
import javafx.scene.control.Labeled;
import javafx.scene.control.TextField;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/** The window on the platform without a display, and hands to use it with. */
abstract class WindowTest {
    /** Far longer than anything waited for takes on a busy machine; a test that reaches it has failed. */
    static final int PATIENCE_S = 120;

    @TempDir
    Path folder;

    final FxRobot robot = new FxRobot();
    Stage stage;
    MainWindow window;

    @BeforeEach
    void open() throws TimeoutException {
        JavaFxLog.quieten();
        FxToolkit.registerPrimaryStage();
        robot.interact(() -> {
            stage = new Stage();
            stage.setWidth(1280);
            stage.setHeight(800);
            window = new MainWindow(stage, folder.resolve("runs"));
            window.show();
        });
    }

    @AfterEach
    void end() {
        robot.interact(() -> window.session().ifPresent(session -> session.stop()));
        if (window.session().isPresent()) {
            until("the engines have ended", () -> !window.session().get().phaseProperty().get().live());
            robot.interact(() -> window.session().get().close());
        }
        robot.interact(() -> stage.close());
    }

    /** Waits until {@code condition} holds, looked at on the JavaFX thread. */
    void until(String what, Callable<Boolean> condition) {
        try {
            WaitForAsyncUtils.waitFor(
                    PATIENCE_S, TimeUnit.SECONDS, () -> WaitForAsyncUtils.asyncFx(condition).get());
        } catch (TimeoutException e) {
            throw new AssertionError("Waited in vain until " + what + "; " + state(), e);
        }
    }

    /** What the window shows of a run, for whoever reads of a failure. */
    private String state() {
        return WaitForAsyncUtils.waitForAsyncFx(PATIENCE_S * 1000L, () -> window.session()
                .map(run -> run.phaseProperty().get() + ": " + run.armsProperty().get().stream()
                        .map(arm -> arm.name() + " " + arm.phase() + " at " + arm.lastStep() + " " + arm.message())
                        .collect(Collectors.joining(", ")) + "; stop " + (node("#stop").isDisabled() ? "cannot" : "can") + " be pressed")
                .orElse("no run"));
    }

    /** Replaces what is in a field by typing. */
    void type(String field, String text) {
        TextField control = (TextField) node(field);
        robot.interact(() -> {
            control.requestFocus();
            control.selectAll();
        });
        if (text.isEmpty()) {
            robot.type(javafx.scene.input.KeyCode.DELETE);
        } else {
            robot.write(text, 0);
        }
    }

    Node node(String id) {
        Node found = stage.getScene().lookup(id);
        if (found == null) {
            throw new AssertionError("There is no " + id + " in the window.");
        }
        return found;
    }

    boolean exists(String id) {
        return stage.getScene().lookup(id) != null;
    }

    String textOf(String id) {
        Node node = node(id);
        return node instanceof TextField field ? field.getText() : ((Labeled) node).getText();
    }

    /** Presses the control with the mouse. */
    void press(String id) {
        robot.clickOn(node(id));
    }

    boolean canStart() {
        return !node("#start").isDisabled();
    }
}
