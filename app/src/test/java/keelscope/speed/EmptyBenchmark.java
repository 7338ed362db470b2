package keelscope.speed;

import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.layout.StackPane;
import javafx.stage.Stage;

/**
 * What JavaFX itself keeps the event thread for: a window with one button in it, the first of a program and the second. It is the yardstick for
 * how long the program's own windows keep it when they are shown for the first time.
 *
 * <p>{@code EmptyBenchmark}: see README, "Speed".
 */
public final class EmptyBenchmark {
    private static final int PAINTED_MS = 2000;

    private EmptyBenchmark() {}

    public static void main(String[] args) {
        FullWindow.program(() -> {
            EventThreadWatch watch = EventThreadWatch.start();
            System.out.println("JavaFX started: " + watch.report());
            for (String which : new String[] {"first", "second"}) {
                show();
                System.out.println("the " + which + " window of the program, one button in it: " + watch.report());
            }
        });
    }

    /** Returns when it has long been painted. */
    private static void show() throws InterruptedException {
        FullWindow.onEventThread(() -> {
            Stage stage = new Stage();
            stage.setScene(new Scene(new StackPane(new Button("Start")), FullWindow.WIDTH, FullWindow.HEIGHT));
            stage.show();
            return null;
        });
        Thread.sleep(PAINTED_MS);
    }
}
