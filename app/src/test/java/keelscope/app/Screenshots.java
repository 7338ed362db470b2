package keelscope.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javafx.animation.AnimationTimer;
import javafx.application.Platform;
import javafx.embed.swing.SwingFXUtils;
import javafx.scene.Scene;
import javafx.scene.SnapshotParameters;
import javafx.scene.control.Button;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.TreeTableView;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.paint.Color;
import javafx.scene.transform.Transform;
import javafx.stage.Popup;
import javafx.stage.Stage;
import javafx.stage.Window;
import javax.imageio.ImageIO;
import keelscope.dashboard.Arrangement;
import keelscope.dashboard.Preset;
import keelscope.library.Grouping;
import keelscope.run.RunNote;
import keelscope.run.RunPhase;
import keelscope.run.RunSession;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.testfx.api.FxToolkit;

/**
 * Takes pictures of the window in each of its states, at 1280 × 800 and at 1920 × 1080, to be looked at. What they show
 * is trained by real engines on tiny models (some minutes in all):
 *
 * <pre>mvn -q -pl app -am test -Dtest=Screenshots -Dsurefire.failIfNoSpecifiedTests=false -Dscreenshots=FOLDER</pre>
 */
@EnabledIfSystemProperty(named = "screenshots", matches = ".+", disabledReason = "It says where the pictures go.")
public final class Screenshots {
    private static final String EXPERIMENT =
            """
            name: Pictures
            device: cpu
            threads: 1
            model:
              layers: 16
              d_model: 32
              heads: 2
            data:
              text: sample
              batch: 4
              sequence: 32
            training:
              steps: %d
              peak_lr: 3.0e-3
              warmup: 20
            measure:
              probe_every: 5
              validate_every: 50
              validation_batches: 1
            arms:
              - scheme: keel
              - scheme: pre_ln
              - scheme: post_ln%s
            """;

    /** What systems enlarge everything by, in per cent. */
    private static final List<Integer> SCALES = List.of(125, 150, 200);

    private final Path folder = Path.of(System.getProperty("screenshots", "")).toAbsolutePath();
    private int width;
    private int height;
    private Stage stage;
    private MainWindow window;

    @ParameterizedTest
    @CsvSource({"1280, 800", "1920, 1080"})
    void everyStateOfTheWindow(int across, int down) throws Exception {
        width = across;
        height = down;
        JavaFxLog.quieten();
        Files.createDirectories(folder);
        FxToolkit.registerPrimaryStage();
        all();
    }

    private void all() throws Exception {
        open(width, height);
        until(() -> window.setup().experimentProperty().get().isPresent());
        picture("empty");
        press(KeyCode.F1);
        picture("keys");
        press(KeyCode.ESCAPE);
        onJavaFx(() -> {
            field("#field-heads").setText("3");
            field("#field-text").setText("/no/such/file.txt");
            field("#field-layers").setText("0");
            field("#arm-peak-lr-1").setText("fast");
        });
        until(() -> stage.getScene().lookup("#problem-text").isVisible());
        picture("invalid");
        Path run = killed();
        diverged();
        seenAgain(run);
        highway();
        compared();
        onJavaFx(() -> stage.close());
        for (int percent : SCALES) {
            scaled(run, percent);
        }
    }

    /** A run that is paused, loses an engine, and is stopped; its folder. */
    private Path killed() throws Exception {
        start(600, "");
        picture("starting");
        until(() -> steps() > 450);
        picture("running");
        onJavaFx(window::pauseOrResume);
        until(() -> run().phaseProperty().get() == RunPhase.PAUSED);
        picture("paused");
        onJavaFx(window::pauseOrResume);
        ProcessHandle.of(run().pid("post_ln").orElseThrow()).ifPresent(ProcessHandle::destroyForcibly);
        until(() -> run().notes().stream().anyMatch(note -> note.severity() == RunNote.Severity.ERROR));
        picture("killed");
        onJavaFx(window::stop);
        until(() -> run().phaseProperty().get() == RunPhase.ENDED);
        picture("stopped");
        return run().folderProperty().get().orElseThrow();
    }

    private void diverged() throws Exception {
        start(150, "\n    peak_lr: 1.0e+30");
        until(() -> run().phaseProperty().get() == RunPhase.ENDED);
        picture("diverged");
    }

    /** The run once more, with everything that can be done to look at it. */
    private void seenAgain(Path run) throws Exception {
        onJavaFx(() -> window.open(run));
        until(() -> run().snapshots().size() == 3 && steps() > 0);
        onJavaFx(() -> window.dashboard().time().at(60));
        picture("replay");
        onJavaFx(() -> ((ToggleButton) stage.getScene().lookup("#show-setup")).setSelected(true));
        picture("beside-setup");
        onJavaFx(() -> ((ToggleButton) stage.getScene().lookup("#show-setup")).setSelected(false));
        press(KeyCode.F6);
        press(KeyCode.I, true);
        picture("explained");
        press(KeyCode.I, true);
        press(KeyCode.D, true);
        picture("dark");
        press(KeyCode.F1);
        picture("dark-keys");
        press(KeyCode.ESCAPE);
        press(KeyCode.J, true);
        picture("dark-projector");
        press(KeyCode.D, true);
        picture("projector");
        press(KeyCode.J, true);
        press(KeyCode.EQUALS, true);
        press(KeyCode.EQUALS, true);
        picture("type-150");
        press(KeyCode.DIGIT0, true);
        for (Preset preset : Preset.values()) {
            if (preset != Preset.OVERVIEW) {
                onJavaFx(() -> window.dashboard().arrange(preset.arrangement()));
                picture("preset-" + preset.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'));
            }
        }
        onJavaFx(() -> window.dashboard().arrange(Preset.OVERVIEW.arrangement()));
        onJavaFx(() -> window.dashboard().maximise(window.dashboard().tiles().get(0)));
        picture("maximised");
    }

    /** What only arms with a trained gate show. */
    private void highway() throws Exception {
        start(120, "\n  - scheme: highway\n  - scheme: highway\n    peak_lr: 0.1");
        until(() -> run().phaseProperty().get() == RunPhase.ENDED);
        onJavaFx(() -> window.dashboard().arrange(Arrangement.even(List.of("trained-gate", "gate-histogram", "carry-gate", "difference-heat-map"), 2)));
        picture("highway");
        onJavaFx(() -> window.dashboard().choose(Map.of("gate-histogram", Map.of("steps", "true", "arm", "highway-2", "sub-layer", "7"))));
        picture("highway-steps");
        onJavaFx(() -> window.dashboard().arrange(Preset.OVERVIEW.arrangement()));
    }

    /** All runs so far in their list, two of them side by side, and arms of one scheme as one. */
    private void compared() throws Exception {
        onJavaFx(() -> window.library().show());
        Scene library = window.library().pane().getScene();
        TreeTableView<?> table = (TreeTableView<?>) library.lookup("#library-table");
        until(() -> table.getRoot().getChildren().size() >= 2);
        onJavaFx(() -> table.getSelectionModel().selectRange(0, 2));
        picture("library", () -> library);
        onJavaFx(() -> window.looks().darkProperty().set(true));
        picture("dark-library", () -> library);
        onJavaFx(() -> window.looks().darkProperty().set(false));
        onJavaFx(() -> ((Button) library.lookup("#library-show")).fire());
        until(() -> run().compares() && run().snapshots().size() > 3);
        picture("compared");
        onJavaFx(() -> {
            @SuppressWarnings("unchecked")
            ChoiceBox<Grouping> grouping = (ChoiceBox<Grouping>) library.lookup("#library-group");
            grouping.setValue(Grouping.SCHEME);
            ((Button) library.lookup("#library-show")).fire();
        });
        until(() -> run().snapshots().stream().anyMatch(arm -> arm.info().arm().contains("n = 2")));
        picture("grouped");
        onJavaFx(() -> window.library().hide());
        for (boolean dark : List.of(true, false)) {
            onJavaFx(() -> window.looks().darkProperty().set(dark));
            notification(dark ? "dark-notification" : "notification");
        }
    }

    /** A message at the edge of the window, in a picture of its own: it is a window of its own. */
    private void notification(String name) throws Exception {
        onJavaFx(() -> window.open(folder.resolve("nowhere.yaml")));
        until(() -> message().isPresent());
        picture(name, () -> message().orElseThrow());
        until(() -> message().isEmpty());
    }

    private static Optional<Scene> message() {
        return Window.getWindows().stream()
                .filter(Popup.class::isInstance)
                .map(Popup.class::cast)
                .filter(popup -> popup.getContent().stream().anyMatch(node -> node.getStyleClass().contains("notification-bar")))
                .map(Popup::getScene)
                .findFirst();
    }

    /**
     * The window on a screen whose system enlarges everything: so many fewer points, each drawn by more than one pixel. The
     * platform without a display has no such setting, so the scale at which the window is laid out and drawn is set here.
     */
    private void scaled(Path run, int percent) throws Exception {
        double scale = percent / 100.0;
        open(Math.round(width / scale), Math.round(height / scale));
        onJavaFx(() -> {
            stage.setRenderScaleX(scale);
            stage.setRenderScaleY(scale);
            window.open(run);
        });
        until(() -> window.session().isPresent() && run().snapshots().size() == 3 && steps() > 0);
        picture("scale-" + percent, () -> stage.getScene(), scale);
        onJavaFx(() -> stage.close());
    }

    private void start(int steps, String lastArm) throws Exception {
        Path file = Files.writeString(folder.resolve("pictures.yaml"), EXPERIMENT.formatted(steps, lastArm));
        onJavaFx(() -> window.open(file));
        until(() -> field("#field-steps").getText().equals(Integer.toString(steps))
                && window.setup().experimentProperty().get().isPresent());
        onJavaFx(window::start);
    }

    private RunSession run() {
        return window.session().orElseThrow();
    }

    private void press(KeyCode key) throws Exception {
        press(key, false);
    }

    private void press(KeyCode key, boolean shortcut) throws Exception {
        onJavaFx(() -> {
            javafx.event.EventTarget focus = stage.getScene().getFocusOwner();
            javafx.event.Event.fireEvent(
                    focus == null ? stage.getScene() : focus,
                    new KeyEvent(KeyEvent.KEY_PRESSED, "", "", key, false, shortcut, false, false));
        });
    }

    /** Steps of all arms together. */
    private int steps() {
        return window.session().orElseThrow().armsProperty().get().stream().mapToInt(arm -> arm.lastStep() + 1).sum();
    }

    private TextField field(String id) {
        return (TextField) stage.getScene().lookup(id);
    }

    private void open(double across, double down) throws Exception {
        onJavaFx(() -> {
            stage = new Stage();
            window = new MainWindow(stage, folder.resolve("runs"));
            stage.setWidth(across);
            stage.setHeight(down);
            window.show();
        });
    }

    private void picture(String name) throws Exception {
        picture(name, () -> stage.getScene());
    }

    private void picture(String name, Supplier<Scene> scene) throws Exception {
        picture(name, scene, 1);
    }

    /** @param scale pixels to a point */
    private void picture(String name, Supplier<Scene> scene, double scale) throws Exception {
        CompletableFuture<javafx.scene.image.WritableImage> image = new CompletableFuture<>();
        onJavaFx(() -> new AnimationTimer() {
            private int frames = 40;

            @Override
            public void handle(long now) {
                if (--frames == 0) {
                    stop();
                    SnapshotParameters parameters = new SnapshotParameters();
                    parameters.setTransform(Transform.scale(scale, scale));
                    parameters.setFill(Color.TRANSPARENT);
                    image.complete(scene.get().getRoot().snapshot(parameters, null));
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
