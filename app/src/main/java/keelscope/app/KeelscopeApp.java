package keelscope.app;

import java.nio.file.Path;
import javafx.application.Application;
import javafx.stage.Stage;
import keelscope.process.RunFolder;

/** The JavaFX application: one window. */
public final class KeelscopeApp extends Application {

    @Override
    public void start(Stage stage) {
        MainWindow window = new MainWindow(stage, RunFolder.home());
        window.show();
        getParameters().getUnnamed().forEach(file -> window.open(Path.of(file)));
    }
}
