package keelscope.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import javafx.animation.AnimationTimer;
import javafx.application.Platform;
import javafx.embed.swing.SwingFXUtils;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.stage.Stage;
import javax.imageio.ImageIO;
import keelscope.run.RecordedRun;
import keelscope.run.RunNote;
import keelscope.run.RunPhase;
import keelscope.runfile.RunStatus;

/**
 * Takes pictures of the window in its states, to be looked at: {@code Screenshots FOLDER [live]}. With {@code live} the
 * default experiment is trained by real engines (minutes); else the runs shown are recorded from formulas. Without a
 * display it needs the system properties that the tests of this module are given.
 */
public final class Screenshots {
    private final Path folder;
    private final int width;
    private final int height;
    private Stage stage;
    private MainWindow window;

    private Screenshots(Path folder, int width, int height) {
        this.folder = folder;
        this.width = width;
        this.height = height;
    }

    public static void main(String[] args) throws Exception {
        JavaFxLog.quieten();
        Platform.startup(() -> Platform.setImplicitExit(false));
        Path folder = Files.createDirectories(Path.of(args[0]));
        if (args.length > 1 && args[1].equals("live")) {
            new Screenshots(folder, 1440, 900).live();
        } else {
            new Screenshots(folder, 1280, 800).recorded();
            new Screenshots(folder, 1920, 1080).recorded();
        }
        Platform.exit();
    }

    private void recorded() throws Exception {
        open();
        until(() -> window.setup().experimentProperty().get().isPresent());
        picture("empty");
        onJavaFx(() -> {
            field("#field-heads").setText("3");
            field("#field-text").setText("/no/such/file.txt");
            field("#field-layers").setText("0");
            field("#arm-peak-lr-1").setText("fast");
        });
        until(() -> stage.getScene().lookup("#problem-text").isVisible());
        picture("invalid");
        Path run = RecordedRun.write(
                folder, 64, 400, 400, RunStatus.FINISHED, "The loss is not a number at step 399, so training cannot go on.");
        onJavaFx(() -> window.open(run));
        until(() -> window.session().filter(s -> s.snapshots().size() > 2).isPresent());
        picture("opened");
        onJavaFx(() -> ((ToggleButton) stage.getScene().lookup("#show-setup")).setSelected(true));
        picture("opened-beside-setup");
        onJavaFx(() -> window.dashboard().maximise(window.dashboard().tiles().get(0)));
        picture("maximised");
        onJavaFx(() -> stage.close());
    }

    private void live() throws Exception {
        open();
        until(() -> window.setup().experimentProperty().get().isPresent());
        onJavaFx(window::start);
        picture("starting");
        until(() -> steps() > 0);
        picture("first-points");
        until(() -> steps() > 360);
        picture("running");
        onJavaFx(window::pauseOrResume);
        until(() -> window.session().orElseThrow().phaseProperty().get() == RunPhase.PAUSED);
        picture("paused");
        onJavaFx(window::pauseOrResume);
        until(() -> steps() > 900);
        ProcessHandle.of(window.session().orElseThrow().pid("post_ln").orElseThrow()).ifPresent(ProcessHandle::destroyForcibly);
        until(() -> window.session().orElseThrow().notes().stream().anyMatch(note -> note.severity() == RunNote.Severity.ERROR));
        picture("killed");
        until(() -> window.session().orElseThrow().phaseProperty().get() == RunPhase.ENDED);
        picture("finished");
        onJavaFx(() -> stage.close());
    }

    /** Steps of all arms together. */
    private int steps() {
        return window.session().orElseThrow().armsProperty().get().stream().mapToInt(arm -> arm.lastStep() + 1).sum();
    }

    private TextField field(String id) {
        return (TextField) stage.getScene().lookup(id);
    }

    private void open() throws Exception {
        onJavaFx(() -> {
            stage = new Stage();
            window = new MainWindow(stage, folder.resolve("runs"));
            stage.setWidth(width);
            stage.setHeight(height);
            window.show();
        });
    }

    private void picture(String name) throws Exception {
        CompletableFuture<javafx.scene.image.WritableImage> image = new CompletableFuture<>();
        onJavaFx(() -> new AnimationTimer() {
            private int frames = 40;

            @Override
            public void handle(long now) {
                if (--frames == 0) {
                    stop();
                    image.complete(stage.getScene().snapshot(null));
                }
            }
        }.start());
        Path file = folder.resolve(name + "-" + width + ".png");
        ImageIO.write(SwingFXUtils.fromFXImage(image.get(), null), "png", file.toFile());
        System.out.println(file);
    }

    private void until(BooleanSupplier condition) throws Exception {
        CompletableFuture<Void> met = new CompletableFuture<>();
        onJavaFx(() -> new AnimationTimer() {
            @Override
            public void handle(long now) {
                if (condition.getAsBoolean()) {
                    stop();
                    met.complete(null);
                }
            }
        }.start());
        met.get();
    }

    private void onJavaFx(Runnable work) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Platform.runLater(() -> {
            try {
                work.run();
                done.complete(null);
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        done.get();
    }
}
