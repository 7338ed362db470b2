package keelscope.app;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javafx.embed.swing.SwingFXUtils;
import javafx.scene.image.WritableImage;
import javafx.stage.Stage;
import javax.imageio.ImageIO;
import keelscope.run.RunPhase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/**
 * Makes README's picture: the default experiment, trained through the window. Run by
 * {@code mvn -q -pl app -am test -Dtest=ReadmePicture -Dsurefire.failIfNoSpecifiedTests=false -Dpicture=/…/assets/window.png}.
 */
class ReadmePicture {
    @TempDir
    Path home;

    private final FxRobot robot = new FxRobot();
    private Stage stage;
    private MainWindow window;

    @Test
    void theWindowAfterTheDefaultExperiment() throws Exception {
        JavaFxLog.quieten();
        System.setProperty("user.home", home.toString()); // so that the picture shows nobody's folders
        FxToolkit.registerPrimaryStage();
        robot.interact(() -> {
            stage = new Stage();
            stage.setWidth(1440);
            stage.setHeight(900);
            window = new MainWindow(stage, home.resolve("keelscope-runs"));
            window.show();
        });
        WaitForAsyncUtils.waitFor(1, TimeUnit.MINUTES, () -> robot.lookup("#start").queryAll().stream().noneMatch(node -> node.isDisabled()));
        robot.interact(window::start);
        WaitForAsyncUtils.waitFor(60, TimeUnit.MINUTES,
                () -> WaitForAsyncUtils.asyncFx(() -> window.session().map(run -> run.phaseProperty().get() == RunPhase.ENDED).orElse(false)).get());
        WaitForAsyncUtils.sleep(2, TimeUnit.SECONDS); // axes follow their data over some frames
        WritableImage image = WaitForAsyncUtils.waitForAsyncFx(60_000, () -> stage.getScene().snapshot(null));
        ImageIO.write(SwingFXUtils.fromFXImage(image, null), "png", Path.of(System.getProperty("picture")).toFile());
        robot.interact(() -> {
            window.session().ifPresent(run -> run.close());
            stage.close();
        });
    }
}
