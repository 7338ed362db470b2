package keelscope.chart;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import javafx.animation.AnimationTimer;
import javafx.application.Platform;
import javafx.embed.swing.SwingFXUtils;
import javafx.geometry.Point2D;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.stage.Stage;
import javax.imageio.ImageIO;
import keelscope.run.ArmSnapshot;
import keelscope.run.FormulaArm;

/** Draws every chart from formulas into PNG files, to be looked at: {@code ChartGallery FOLDER
 * [STYLE [WIDTH HEIGHT [LAST-STEP [ARMS]]]]}; with the system property {@code hover} the mouse stands over each. */
public final class ChartGallery {
    private static final int COLUMNS = Integer.getInteger("columns", 4);

    private ChartGallery() {}

    private static List<ArmSnapshot> many(int last, int n) {
        List<String> schemes = List.of("keel", "pre_ln", "post_ln");
        return IntStream.range(0, n)
                .mapToObj(i -> FormulaArm.of(schemes.get(i % 3), i, 64 + 32 * (i / 3), 400, last, 0.05 + 0.05 * (i / 3)))
                .toList();
    }

    private static void hover(Plot plot) {
        Node area = plot.chart().getPlotArea();
        Point2D at = area.localToScene(area.getLayoutBounds().getWidth() * 0.6, area.getLayoutBounds().getHeight() * 0.5);
        area.fireEvent(new MouseEvent(
                MouseEvent.MOUSE_MOVED, at.getX(), at.getY(), at.getX(), at.getY(), MouseButton.NONE, 0, false, false, false, false,
                false, false, false, true, false, true, null));
    }

    public static void main(String[] args) throws Exception {
        File folder = new File(args[0]);
        String style = args.length > 1 ? args[1] : "light";
        double width = args.length > 3 ? Double.parseDouble(args[2]) : 640;
        double height = args.length > 3 ? Double.parseDouble(args[3]) : 400;
        CountDownLatch done = new CountDownLatch(1);
        Platform.startup(() -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> {
                e.printStackTrace();
                System.exit(1);
            });
            List<ChartTile> tiles = ChartCatalog.all().stream().map(kind -> kind.make().get()).toList();
            StackPane root = new StackPane();
            root.getStyleClass().add(style);
            for (int i = 0; i < tiles.size(); i++) {
                tiles.get(i).setManaged(false);
                tiles.get(i).resizeRelocate(i % COLUMNS * (width + 8), i / COLUMNS * (height + 8), width, height);
            }
            root.getChildren().addAll(tiles);
            root.setMinSize(Region.USE_PREF_SIZE, Region.USE_PREF_SIZE);
            Stage stage = new Stage();
            stage.setScene(new Scene(root, COLUMNS * (width + 8), (tiles.size() + COLUMNS - 1) / COLUMNS * (height + 8)));
            stage.show();
            new AnimationTimer() {
                private int frame;

                @Override
                public void handle(long now) {
                    frame++;
                    if (frame == 3) {
                        int last = args.length > 4 ? Integer.parseInt(args[4]) : 399;
                        List<ArmSnapshot> arms = args.length > 5 ? many(last, Integer.parseInt(args[5])) : FormulaArm.four(last);
                        tiles.forEach(tile -> {
                            tile.show(arms);
                            tile.pinned(new TreeSet<>(List.of(7, 40)));
                            tile.cursor(OptionalInt.of(last / 3));
                        });
                    } else if (frame == 6 && Boolean.getBoolean("hover")) {
                        tiles.stream().flatMap(tile -> tile.plots().stream()).forEach(ChartGallery::hover);
                    } else if (frame == 10) {
                        stop();
                        try {
                            ImageIO.write(SwingFXUtils.fromFXImage(tiles.get(0).snapshotImage(2), null), "png", new File(folder, "loss-2x.png"));
                            ImageIO.write(SwingFXUtils.fromFXImage(root.snapshot(null, null), null), "png", new File(folder, "gallery-" + style + ".png"));
                        } catch (IOException e) {
                            e.printStackTrace();
                        }
                        done.countDown();
                    }
                }
            }.start();
        });
        done.await();
        Platform.exit();
    }
}
