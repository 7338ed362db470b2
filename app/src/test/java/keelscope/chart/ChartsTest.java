package keelscope.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fair_acc.dataset.DataSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javafx.geometry.Point2D;
import javafx.scene.Scene;
import javafx.scene.image.WritableImage;
import javafx.scene.input.MouseButton;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.stage.Stage;
import keelscope.run.ArmSnapshot;
import keelscope.run.FormulaArm;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.LayerValues;
import keelscope.runfile.Measure;
import keelscope.runfile.RunEvent;
import keelscope.runfile.RunStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** The charts in a real scene, on the headless platform. */
@ExtendWith(ApplicationExtension.class)
class ChartsTest {
    private static final double WIDTH = 900;
    private static final double HEIGHT = 600;

    private StackPane root;

    @Start
    void start(Stage stage) {
        root = new StackPane();
        stage.setScene(new Scene(root, WIDTH, HEIGHT));
        stage.show();
    }

    private <T> T onFx(Callable<T> work) {
        return WaitForAsyncUtils.waitForAsyncFx(60_000, work);
    }

    private void await(Callable<Boolean> condition) throws Exception {
        WaitForAsyncUtils.waitFor(60, TimeUnit.SECONDS, () -> onFx(condition));
    }

    private <T extends ChartTile> T shown(Callable<T> maker, List<ArmSnapshot> arms) {
        return onFx(() -> {
            T tile = maker.call();
            root.getChildren().setAll(tile);
            tile.show(arms);
            return tile;
        });
    }

    private void awaitLayout(Plot plot) throws Exception {
        await(() -> plot.chart().getCanvas().getWidth() > 100 && plot.xAxis().getLength() == plot.chart().getCanvas().getWidth());
    }

    private Point2D onScreen(Plot plot, double x, double y) {
        return onFx(() -> plot.chart().getCanvas().localToScreen(
                plot.xAxis().getDisplayPosition(x), plot.yAxis().getDisplayPosition(y)));
    }

    private static double[] xs(Curve curve) {
        return curve.getValues(DataSet.DIM_X);
    }

    private static double[] ys(Curve curve) {
        return curve.getValues(DataSet.DIM_Y);
    }

    private static Curve curve(Plot plot, String key) {
        return plot.find(key).orElseThrow(() -> new AssertionError("no curve " + key));
    }

    // ---- loss

    @Test
    void theLossChartHoldsEveryLossAndEveryValidationOfEveryArm() throws Exception {
        List<ArmSnapshot> arms = FormulaArm.three(399);
        LossChart chart = shown(LossChart::new, arms);
        Plot plot = chart.plot();
        for (ArmSnapshot arm : arms) {
            String name = arm.colour() + " " + arm.info().arm();
            assertThat(ys(curve(plot, "raw " + name))).isEqualTo(arm.steps().loss());
            assertThat(xs(curve(plot, "raw " + name))[399]).isEqualTo(399);
            assertThat(xs(curve(plot, "validation " + name))).containsExactly(49, 99, 149, 199, 249, 299, 349, 399);
            assertThat(ys(curve(plot, "validation " + name))[7])
                    .isCloseTo(FormulaArm.loss(arm.info().scheme(), 399) + 0.06, within(1e-12));
        }
        assertThat(plot.names()).containsExactly("Keel", "Pre-LN", "Post-LN");
        assertThat(plot.xAxis().getName()).isEqualTo("step");
        assertThat(plot.yAxis().getName()).isEqualTo("loss (nats per token)");
    }

    @Test
    void theAxesOfTheLossChartHoldAllDataAndTheWholeRecipe() throws Exception {
        List<ArmSnapshot> arms = FormulaArm.three(100);
        Plot plot = shown(LossChart::new, arms).plot();
        double lowest = arms.stream().flatMapToDouble(arm -> Arrays.stream(arm.steps().loss())).min().orElseThrow();
        double highest = arms.stream().flatMapToDouble(arm -> Arrays.stream(arm.steps().loss())).max().orElseThrow();
        Plot.View view = onFx(plot::view);
        assertThat(view.xMin()).isBetween(-10.0, 0.0);
        assertThat(view.xMax()).isBetween(400.0, 410.0);
        assertThat(view.yMin()).isBetween(lowest - 1, lowest);
        assertThat(view.yMax()).isBetween(highest, highest + 1);
    }

    @Test
    void theLogSwitchMakesTheLossAxisLogarithmicAndBack() throws Exception {
        LossChart chart = shown(LossChart::new, FormulaArm.three(399));
        onFx(() -> {
            chart.setLog(true);
            return null;
        });
        assertThat(chart.plot().yAxis().isLogAxis()).isTrue();
        assertThat(chart.plot().yAxis().getMin()).isPositive();
        onFx(() -> {
            chart.setLog(false);
            return null;
        });
        assertThat(chart.plot().yAxis().isLogAxis()).isFalse();
    }

    @Test
    void withoutSmoothingTheThickLineIsTheLossItself() throws Exception {
        List<ArmSnapshot> arms = FormulaArm.three(50);
        LossChart chart = shown(LossChart::new, arms);
        onFx(() -> {
            chart.setSmoothing(0);
            return null;
        });
        assertThat(ys(curve(chart.plot(), "smooth 0 keel"))).isEqualTo(arms.get(0).steps().loss());
    }

    @Test
    void divergenceIsMarkedWithItsStepAndTheArmsName() throws Exception {
        RunEvent diverged = new RunEvent(1, 212, 0, "diverged", "The loss was not finite at step 212.");
        RunEvent pause = new RunEvent(2, 100, 0, "pause", "Paused.");
        ArmSnapshot arm = FormulaArm.of("post_ln", 2, 64, 400, 212, 0.05, RunStatus.DIVERGED, List.of(diverged, pause));
        Plot plot = shown(LossChart::new, List.of(arm)).plot();
        assertThat(plot.marks()).containsExactly(
                new Plot.Mark(212, "Post-LN diverged, step 212", "arm-2", true),
                new Plot.Mark(100, "Post-LN: Paused.", "arm-2", false));
    }

    @Test
    void anExplodingArmDoesNotSqueezeTheOthersAndItsHighestLossIsSaid() throws Exception {
        ArmSnapshot calm = FormulaArm.of("keel", 0, 64, 400, 99, 0.02);
        ArmSnapshot wild = FormulaArm.of("post_ln", 1, 64, 400, 99, 0.02);
        wild.steps().loss()[60] = 5000;
        wild.steps().lossMax()[60] = 5000;
        LossChart chart = shown(LossChart::new, List.of(calm, wild));
        assertThat(onFx(() -> chart.plot().view().yMax())).isBetween(6.0, 25.0);
        assertThat(onFx(() -> chart.lookup(".tile-key")).toString()).contains("5000");
    }

    @Test
    void aLossThatIsNotFiniteLeavesAGapAndFiniteAxes() throws Exception {
        ArmSnapshot arm = FormulaArm.of("keel", 0, 64, 400, 99, 0.02);
        arm.steps().loss()[99] = Double.NaN;
        arm.steps().lossMin()[99] = Double.NaN;
        arm.steps().lossMax()[99] = Double.NaN;
        Plot plot = shown(LossChart::new, List.of(arm)).plot();
        assertThat(ys(curve(plot, "smooth 0 keel"))[99]).isNaN();
        assertThat(onFx(() -> plot.view().yMax())).isFinite();
    }

    @Test
    void hoveringTheLossChartSaysStepLossAndUnitOfEveryArm(FxRobot robot) throws Exception {
        List<ArmSnapshot> arms = FormulaArm.three(399);
        Plot plot = shown(LossChart::new, arms).plot();
        awaitLayout(plot);
        robot.moveTo(onScreen(plot, 120, 4));
        // Whole pixels lie a little more than half a step apart.
        await(() -> plot.hoverText().matches("step 1(19|20|21);.*"));
        String text = onFx(plot::hoverText);
        int step = Integer.parseInt(text.substring(5, 8));
        for (ArmSnapshot arm : arms) {
            assertThat(text).contains(
                    Arms.title(arm) + "  " + Numbers.significant(arm.steps().loss()[step]) + " nats per token");
        }
        robot.moveTo(onFx(() -> plot.localToScreen(2, 2)));
        await(() -> plot.hoverText().isEmpty());
    }

    // ---- zoom

    @Test
    void draggingZoomsAndResetShowsEverythingAgain(FxRobot robot) throws Exception {
        LossChart chart = shown(LossChart::new, FormulaArm.three(399));
        Plot plot = chart.plot();
        awaitLayout(plot);
        Plot.View home = onFx(plot::view);
        robot.drag(onScreen(plot, 100, 5), MouseButton.PRIMARY).dropTo(onScreen(plot, 200, 3));
        await(plot::zoomed);
        Plot.View zoomed = onFx(plot::view);
        double pixel = 410.0 / plot.xAxis().getLength();
        assertThat(zoomed.xMin()).isCloseTo(100, within(2 * pixel));
        assertThat(zoomed.xMax()).isCloseTo(200, within(2 * pixel));
        assertThat(zoomed.yMin()).isCloseTo(3, within(0.05));
        assertThat(zoomed.yMax()).isCloseTo(5, within(0.05));
        onFx(() -> {
            chart.show(FormulaArm.three(398));
            return null;
        });
        assertThat(onFx(plot::view)).as("new data leave a zoomed view").isEqualTo(zoomed);
        await(() -> chart.lookup(".reset-zoom").isVisible());
        robot.clickOn(".reset-zoom");
        await(() -> !plot.zoomed());
        assertThat(onFx(plot::view)).isEqualTo(home);
    }

    @Test
    void theWheelZoomsAboutTheMouse(FxRobot robot) throws Exception {
        Plot plot = shown(LossChart::new, FormulaArm.three(399)).plot();
        awaitLayout(plot);
        Plot.View home = onFx(plot::view);
        robot.moveTo(onScreen(plot, 100, 4));
        robot.scroll(-2);
        robot.scroll(2);
        robot.scroll(2);
        await(() -> plot.zoomed() && plot.view().xMax() != home.xMax());
        Plot.View view = onFx(plot::view);
        double share = (100 - home.xMin()) / (home.xMax() - home.xMin());
        assertThat((100 - view.xMin()) / (view.xMax() - view.xMin())).isCloseTo(share, within(0.01));
    }

    // ---- by layer

    @Test
    void theGradientChartHoldsEverySubLayerOfEveryArmOnALogarithmicAxis() throws Exception {
        List<ArmSnapshot> arms = FormulaArm.three(399);
        Plot plot = shown(() -> new LayerChart(LayerPlans.PARAMETER_GRADIENT), arms).plot();
        for (ArmSnapshot arm : arms) {
            Curve attention = curve(plot, LayerChart.lineKey(arm, SubLayers.ATTENTION));
            Curve feedForward = curve(plot, LayerChart.lineKey(arm, SubLayers.FEED_FORWARD));
            assertThat(xs(attention)).startsWith(0, 2, 4).hasSize(32);
            assertThat(xs(feedForward)).startsWith(1, 3, 5).hasSize(32);
            assertThat(ys(feedForward)[8]).isCloseTo(FormulaArm.gradient(arm.info().scheme(), 64, 399, 17), within(1e-7));
        }
        assertThat(plot.yAxis().isLogAxis()).isTrue();
        double least = FormulaArm.gradient("post_ln", 64, 399, 0);
        assertThat(onFx(() -> plot.view().yMin())).isLessThanOrEqualTo(least);
        assertThat(onFx(() -> plot.view().xMax())).isBetween(63.0, 65.0);
        assertThat(plot.names()).containsExactly("Keel", "Pre-LN", "Post-LN");
    }

    @Test
    void theGradientChartCanShowAttentionOrFeedForwardAlone() throws Exception {
        List<ArmSnapshot> arms = FormulaArm.three(399);
        LayerChart chart = shown(() -> new LayerChart(LayerPlans.PARAMETER_GRADIENT), arms);
        onFx(() -> {
            chart.show(SubLayers.ATTENTION);
            return null;
        });
        assertThat(chart.plot().find(LayerChart.lineKey(arms.get(0), SubLayers.ATTENTION))).isPresent();
        assertThat(chart.plot().find(LayerChart.lineKey(arms.get(0), SubLayers.FEED_FORWARD))).isEmpty();
        onFx(() -> {
            chart.show(SubLayers.FEED_FORWARD);
            return null;
        });
        assertThat(chart.plot().find(LayerChart.lineKey(arms.get(0), SubLayers.ATTENTION))).isEmpty();
        assertThat(chart.plot().find(LayerChart.lineKey(arms.get(0), SubLayers.FEED_FORWARD))).isPresent();
        assertThat(chart.plot().names()).containsExactly("Keel", "Pre-LN", "Post-LN");
    }

    @Test
    void hoveringALayerChartSaysSubLayerAndValue(FxRobot robot) throws Exception {
        Plot plot = shown(() -> new LayerChart(LayerPlans.PARAMETER_GRADIENT), FormulaArm.three(399)).plot();
        awaitLayout(plot);
        robot.moveTo(onScreen(plot, 20, 1e-3));
        await(() -> plot.hoverText().startsWith("sub-layer 20 (attention of block 10)"));
        assertThat(onFx(plot::hoverText)).contains(
                "Post-LN  " + Numbers.significant((float) FormulaArm.gradient("post_ln", 64, 399, 20)));
    }

    @Test
    void theCarryGateChartSpreadsItsAxisTowardsOne() throws Exception {
        List<ArmSnapshot> arms = FormulaArm.three(399);
        LayerChart chart = shown(() -> new LayerChart(LayerPlans.CARRY_GATE), arms);
        Plot plot = chart.plot();
        // Two addends of equal norm: carry α/√(α²+1), so 1 − carry is 1.2e-4 at α = 64.
        String keel = LayerChart.lineKey(arms.get(0), SubLayers.ATTENTION);
        assertThat(ys(curve(plot, keel))[20]).isCloseTo(1 - 64 / Math.sqrt(64 * 64 + 1), within(1e-7));
        // Pre-LN's formula at l = 9: 1 − carry = 0.3/10.
        Curve band = curve(plot, LayerChart.bandKey(arms.get(1), SubLayers.FEED_FORWARD));
        assertThat(band.isBand()).isTrue();
        assertThat(band.low(4)).isCloseTo(1.5 * 0.03, within(1e-6));
        assertThat(ys(band)[4]).isCloseTo(0.6 * 0.03, within(1e-6));
        awaitLayout(plot);
        assertThat(onFx(() -> plot.yAxis().getDisplayPosition(1e-4) < plot.yAxis().getDisplayPosition(0.5)))
                .as("more carried lies higher").isTrue();
        onFx(() -> {
            chart.setLinear(true);
            return null;
        });
        assertThat(ys(curve(plot, keel))[20]).isCloseTo(64 / Math.sqrt(64 * 64 + 1), within(1e-7));
        assertThat(plot.yAxis().isLogAxis()).isFalse();
    }

    @Test
    void theTransportChartDrawsTheoryOverWhatWasMeasured() throws Exception {
        List<ArmSnapshot> arms = FormulaArm.three(399);
        Plot plot = shown(() -> new LayerChart(LayerPlans.HIGHWAY_TRANSPORT), arms).plot();
        assertThat(ys(curve(plot, LayerChart.theoryKey(arms.get(2))))[0]).isCloseTo(Math.pow(2, -32), within(1e-15));
        assertThat(ys(curve(plot, LayerChart.theoryKey(arms.get(0))))[0])
                .isCloseTo(Math.pow(1 + 1.0 / (64 * 64), -32), within(1e-12));
        assertThat(ys(curve(plot, LayerChart.theoryKey(arms.get(1))))[0]).isEqualTo(1);
        assertThat(ys(curve(plot, LayerChart.lineKey(arms.get(2), SubLayers.ALL)))[10])
                .isCloseTo(FormulaArm.transport("post_ln", 64, 10), within(1e-12));
    }

    // ---- heat map

    private static HeatMapChart gradients() {
        return new HeatMapChart("Gradient, layer × step", Measure.PARAM_GRAD_NORM, false);
    }

    private static ArmSnapshot withCells(int colour, int[] first, int[] last, float[][] cells) {
        ArmSnapshot arm = FormulaArm.of("keel", colour, cells[0].length, 100, last[last.length - 1], 0);
        Map<Measure, LayerValues> layers = new EnumMap<>(Measure.class);
        return new ArmSnapshot(
                Path.of("arm" + colour), arm.info(), arm.state(), colour, arm.lastStep(), arm.steps(), arm.validation(), arm.events(),
                -1, layers, Map.of(Measure.PARAM_GRAD_NORM, new LayerMatrix(first, last, cells)), Map.of());
    }

    @Test
    void theHeatMapPaintsEachCellInTheColourOfItsValueOnOneScaleForAllArms() throws Exception {
        // Values 10^-4 … 1 in equal numbers: the percentiles, rounded outwards, are the ends of the scale.
        int n = 100;
        int[] steps = new int[n];
        float[][] low = new float[n][4];
        float[][] high = new float[n][4];
        for (int c = 0; c < n; c++) {
            steps[c] = c;
            Arrays.fill(low[c], 1e-4f);
            Arrays.fill(high[c], 1f);
            high[c][2] = Float.NaN;
        }
        HeatMapChart chart = shown(
                ChartsTest::gradients, List.of(withCells(0, steps, steps, low), withCells(1, steps, steps, high)));
        Plot plot = chart.plots().get(1);
        awaitLayout(plot);
        double from = chart.bar().low();
        double to = chart.bar().high();
        assertThat(from).isBetween(4e-5, 1e-4);
        assertThat(to).isBetween(1.0, 2.5);
        double span = Math.log(to / from);
        int w = (int) plot.chart().getCanvas().getWidth();
        await(() -> chart.renderer(1).argb(w / 2, (int) plot.yAxis().getDisplayPosition(1)) != 0);
        assertThat(onFx(() -> chart.renderer(0).argb(w / 2, (int) plot.yAxis().getDisplayPosition(1))))
                .isEqualTo(ColourMap.VIRIDIS.argb(Math.log(1e-4 / from) / span));
        assertThat(onFx(() -> chart.renderer(1).argb(w / 2, (int) plot.yAxis().getDisplayPosition(1))))
                .isEqualTo(ColourMap.VIRIDIS.argb(Math.log(1 / from) / span));
        int missing = onFx(() -> chart.renderer(1).argb(w / 2, (int) plot.yAxis().getDisplayPosition(2)));
        assertThat(missing >> 16 & 255).as("grey").isEqualTo(missing & 255).isEqualTo(missing >> 8 & 255);
    }

    @Test
    void aStepThatWasNotTakenYetIsLeftBareInTheHeatMap() throws Exception {
        int[] steps = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        float[][] cells = new float[10][4];
        for (float[] column : cells) {
            Arrays.fill(column, 0.5f);
        }
        HeatMapChart chart = shown(ChartsTest::gradients, List.of(withCells(0, steps, steps, cells)));
        Plot plot = chart.plots().get(0);
        awaitLayout(plot);
        int y = onFx(() -> (int) plot.yAxis().getDisplayPosition(1));
        await(() -> chart.renderer(0).argb((int) plot.xAxis().getDisplayPosition(5), y) != 0);
        assertThat(onFx(() -> chart.renderer(0).argb((int) plot.xAxis().getDisplayPosition(50), y))).isZero();
    }

    @Test
    void zoomingOnePanelOfTheHeatMapZoomsAll() throws Exception {
        HeatMapChart chart = shown(ChartsTest::gradients, FormulaArm.three(399));
        Plot.View part = new Plot.View(50, 100, 10, 20);
        onFx(() -> {
            chart.plots().get(1).zoomTo(part);
            return null;
        });
        assertThat(chart.plots()).allSatisfy(plot -> assertThat(plot.view()).isEqualTo(part));
        onFx(() -> {
            chart.resetZoom();
            return null;
        });
        assertThat(chart.plots()).noneMatch(Plot::zoomed);
    }

    @Test
    void hoveringTheHeatMapSaysArmStepSubLayerAndValue(FxRobot robot) throws Exception {
        List<ArmSnapshot> arms = FormulaArm.three(399);
        HeatMapChart chart = shown(ChartsTest::gradients, arms);
        Plot plot = chart.plots().get(1);
        awaitLayout(plot);
        robot.moveTo(onScreen(plot, 200.5, 33));
        await(() -> !plot.hoverText().isEmpty());
        String text = onFx(plot::hoverText);
        assertThat(text).contains("Pre-LN").contains("sub-layer 33 (feed-forward of block 16)");
        assertThat(text).matches("step (199|200|201) .*");
        int step = Integer.parseInt(text.substring(5, 8));
        assertThat(text).endsWith(Numbers.significant(arms.get(1).gradients().values()[step][33]));
    }

    // ---- all

    private static List<ChartTile> all() {
        return ChartCatalog.all().stream().map(kind -> kind.make().get()).toList();
    }

    @Test
    void everyChartExplainsItselfInTwoSentencesAndSaysItsDataInWords() throws Exception {
        for (ChartTile tile : onFx(ChartsTest::all)) {
            shown(() -> tile, FormulaArm.three(399));
            assertThat(tile.title()).isNotBlank();
            assertThat(tile.hint().split("(?<=[a-z.])\\. ?(?=[A-Z]|$)")).as(tile.title()).hasSize(2);
            assertThat(onFx(tile::getAccessibleText)).as(tile.title()).contains("Keel: ", "Pre-LN: ", "Post-LN: ");
        }
    }

    @Test
    void everyChartTakesNoArmsArmsWithoutStepsAndArmsThatGo() throws Exception {
        for (ChartTile tile : onFx(ChartsTest::all)) {
            shown(() -> tile, List.of());
            shown(() -> tile, FormulaArm.three(-1));
            shown(() -> tile, FormulaArm.three(10));
            shown(() -> tile, FormulaArm.three(10).subList(1, 2));
            shown(() -> tile, List.of());
            assertThat(onFx(tile::getAccessibleText)).contains("No data yet");
        }
    }

    @Test
    void dataShownBeforeTheFirstPulseDoNotBlockTheWindow() {
        // ChartFX holds read locks from layout until the pulse; the second write would wait for them for ever.
        for (ChartTile tile : onFx(ChartsTest::all)) {
            onFx(() -> {
                Stage stage = new Stage();
                stage.setScene(new Scene(tile, WIDTH, HEIGHT));
                tile.show(FormulaArm.three(10));
                stage.show();
                tile.show(FormulaArm.three(11));
                tile.show(FormulaArm.three(12));
                stage.hide();
                return null;
            });
        }
    }

    @Test
    void theMaximiseButtonDoesWhatItWasGiven(FxRobot robot) throws Exception {
        LossChart chart = shown(LossChart::new, FormulaArm.three(10));
        List<String> pressed = Collections.synchronizedList(new ArrayList<>());
        onFx(() -> {
            chart.setOnMaximise(() -> pressed.add("maximise"));
            return null;
        });
        awaitLayout(chart.plot());
        robot.clickOn(".maximise");
        await(() -> !pressed.isEmpty());
    }

    @Test
    void aPictureIsAsLargeAsTheTileTimesTheScale() throws Exception {
        LossChart chart = shown(LossChart::new, FormulaArm.three(399));
        awaitLayout(chart.plot());
        WritableImage picture = onFx(() -> chart.snapshotImage(2));
        assertThat(onFx(chart::getWidth)).as("the tile afterwards").isEqualTo(WIDTH);
        assertThat(picture.getWidth()).isCloseTo(2 * WIDTH, within(2.0));
        assertThat(picture.getHeight()).isCloseTo(2 * HEIGHT, within(2.0));
    }

    @Test
    void inANarrowTileTheTitleAndTheSwitchesStayWhole() throws Exception {
        for (ChartTile tile : onFx(ChartsTest::all)) {
            shown(() -> tile, FormulaArm.three(10));
            onFx(() -> {
                tile.setMaxWidth(300);
                return null;
            });
            await(() -> tile.getWidth() == 300 && !tile.isNeedsLayout());
            onFx(() -> {
                Stream.concat(tile.lookupAll(".tile-title").stream(), tile.lookupAll(".tile-switch").stream())
                        .forEach(node -> assertThat(((Region) node).getWidth())
                                .as(tile.title() + ": " + node)
                                .isGreaterThanOrEqualTo(Math.floor(((Region) node).prefWidth(-1))));
                return null;
            });
        }
    }

    @Test
    void aStillChartIsNotDrawnAgain() throws Exception {
        LossChart chart = shown(LossChart::new, FormulaArm.three(399));
        awaitLayout(chart.plot());
        await(() -> chart.plot().chart().getBitState().isClean());
        // A few pulses later nothing has asked for another drawing: an empty data set would, for ever.
        WaitForAsyncUtils.waitForFxEvents(5);
        assertThat(onFx(() -> chart.plot().chart().getBitState().isClean())).isTrue();
    }
}
