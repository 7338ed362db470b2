package keelscope.app;

import java.util.logging.Logger;

/** What JavaFX prints about itself. */
public final class JavaFxLog {
    // Held here, since a logger that nobody holds is collected with its filter.
    private static final Logger LOGGER = Logger.getLogger("javafx");

    private JavaFxLog() {}

    /** Leaves out its warning that it runs from the class path, which is meant: ChartFX and ControlsFX are not modules. */
    public static void quieten() {
        LOGGER.setFilter(record -> !String.valueOf(record.getMessage()).startsWith("Unsupported JavaFX configuration"));
    }
}
