package keelscope.app;

import javafx.geometry.Rectangle2D;
import javafx.stage.Screen;
import javafx.stage.Stage;

/** The window's place on the screen, remembered between starts. */
final class WindowPlace {
    /** So much of the window must lie on a screen, in points, that it can be taken hold of. */
    private static final double LEAST_ON_SCREEN = 100;

    private final Stage stage;
    private double x = Double.NaN;
    private double y = Double.NaN;
    private double width = Double.NaN;
    private double height = Double.NaN;

    WindowPlace(Stage stage) {
        this.stage = stage;
        stage.xProperty().addListener(property -> note());
        stage.yProperty().addListener(property -> note());
        stage.widthProperty().addListener(property -> note());
        stage.heightProperty().addListener(property -> note());
    }

    /** The place of a maximised window is that of the screen: it is the place before that is kept. */
    private void note() {
        if (stage.isShowing() && !stage.isMaximized() && !stage.isIconified() && !stage.isFullScreen()) {
            x = stage.getX();
            y = stage.getY();
            width = stage.getWidth();
            height = stage.getHeight();
        }
    }

    /** Puts the window where it was, if a screen is still there. */
    void restore(Settings settings) {
        settings.bounds().ifPresent(kept -> {
            boolean seen = Screen.getScreensForRectangle(kept[0], kept[1], kept[2], kept[3]).stream()
                    .map(Screen::getVisualBounds)
                    .anyMatch(screen -> overlap(screen, kept) >= LEAST_ON_SCREEN * LEAST_ON_SCREEN);
            if (seen) {
                stage.setX(kept[0]);
                stage.setY(kept[1]);
                stage.setWidth(Math.max(stage.getMinWidth(), kept[2]));
                stage.setHeight(Math.max(stage.getMinHeight(), kept[3]));
            }
        });
        stage.setMaximized(settings.is("maximised"));
    }

    private static double overlap(Rectangle2D screen, double[] window) {
        double across = Math.min(screen.getMaxX(), window[0] + window[2]) - Math.max(screen.getMinX(), window[0]);
        double down = Math.min(screen.getMaxY(), window[1] + window[3]) - Math.max(screen.getMinY(), window[1]);
        return across <= 0 || down <= 0 ? 0 : across * down;
    }

    void keep(Settings settings) {
        settings.set("maximised", stage.isMaximized());
        if (Double.isFinite(x) && Double.isFinite(y) && width > 0 && height > 0) {
            settings.bounds(x, y, width, height);
        }
    }
}
