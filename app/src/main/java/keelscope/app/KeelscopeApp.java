package keelscope.app;

import java.nio.file.Path;
import javafx.application.Application;
import javafx.stage.Stage;
import keelscope.process.RunFolder;

/** The JavaFX application: one window. */
public final class KeelscopeApp extends Application {

    private static volatile boolean begun;

    /** Whether JavaFX came as far as to open the window. */
    static boolean begun() {
        return begun;
    }

    @Override
    public void start(Stage stage) {
        begun = true;
        MainWindow window = new MainWindow(stage, RunFolder.home(), Settings.ofUser());
        window.show();
        getParameters().getUnnamed().forEach(file -> window.open(Path.of(file)));
    }
}
