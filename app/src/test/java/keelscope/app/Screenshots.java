package keelscope.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import javafx.animation.AnimationTimer;
import javafx.application.Platform;
import javafx.embed.swing.SwingFXUtils;
import javafx.scene.control.TextField;
import javafx.stage.Stage;
import javax.imageio.ImageIO;
import keelscope.run.RecordedRun;
import keelscope.runfile.RunStatus;

/**
 * Takes pictures of the window in its states, to be looked at: {@code Screenshots FOLDER [RUN-FOLDER]}; without a run, one
 * recorded from formulas is shown. Without a display
 * it needs the system properties that the tests of this module are given.
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
        Platform.startup(() -> Platform.setImplicitExit(false));
        Path folder = Files.createDirectories(Path.of(args[0]));
        Path recorded = args.length > 1
                ? Path.of(args[1])
                : RecordedRun.write(folder, 64, 400, 400, RunStatus.FINISHED, "Arm post_ln diverged at step 399: the loss is not finite.");
        for (int[] size : new int[][] {{1280, 800}, {1920, 1080}}) {
            Screenshots shots = new Screenshots(folder, size[0], size[1]);
            shots.open();
            shots.until(() -> shots.window.setup().experimentProperty().get().isPresent());
            shots.picture("empty");
            shots.onJavaFx(() -> shots.field("#field-heads").setText("3"));
            shots.onJavaFx(() -> shots.field("#field-text").setText("/no/such/file.txt"));
            shots.onJavaFx(() -> shots.field("#field-layers").setText("0"));
            shots.onJavaFx(() -> shots.field("#arm-peak-lr-1").setText("fast"));
            shots.until(() -> shots.window.setup().experimentProperty().get().isEmpty());
            shots.picture("invalid");
            shots.onJavaFx(() -> shots.window.open(recorded));
            shots.until(() -> shots.window.session().filter(s -> s.snapshots().size() > 2).isPresent());
            shots.picture("opened");
            shots.onJavaFx(() -> ((javafx.scene.control.ToggleButton) shots.stage.getScene().lookup("#show-setup")).setSelected(true));
            shots.picture("opened-beside-setup");
            shots.onJavaFx(() -> shots.window.dashboard().maximise(shots.window.dashboard().tiles().get(0)));
            shots.picture("maximised");
            shots.onJavaFx(() -> shots.stage.close());
        }
        Platform.exit();
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
