package keelscope.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fair_acc.dataset.DataSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javafx.animation.AnimationTimer;
import javafx.geometry.Bounds;
import javafx.geometry.Point2D;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.image.Image;
import javafx.scene.image.PixelFormat;
import javafx.scene.image.WritableImage;
import javafx.scene.input.MouseButton;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.shape.MoveTo;
import javafx.scene.text.Text;
import javafx.stage.Stage;
import keelscope.run.ArmSnapshot;
import keelscope.run.FormulaArm;
import keelscope.run.StepRange;
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

    /** As a run read from another program's log: steps and their loss, nothing of layers. */
    private static ArmSnapshot imported(RunStatus status) {
        ArmSnapshot arm = FormulaArm.of("keel", 0, 1, 100, 99, 0, status, List.of());
        return new ArmSnapshot(
                arm.file(), arm.info(), arm.state(), 0, arm.lastStep(), arm.steps(), arm.validation(), arm.events(), -1, Map.of(), Map.of(),
                Map.of());
    }

    @Test
    void theNumberOfArmsBehindTheNameOfAGroupStaysInOneLineInANarrowPanel() throws Exception {
        List<ArmSnapshot> groups = FormulaArm.four(99).stream().map(arm -> arm.withArm(Arms.title(arm) + " (n = 12)")).toList();
        HeatMapChart chart = shown(ChartsTest::gradients, groups);
        resize(chart, 470, 400, 15);
        List<Text> names = onFx(() -> chart.lookupAll(".panel-title").stream().map(title -> (Text) title.lookup(".text")).toList());
        assertThat(names).hasSize(4);
        onFx(() -> {
            assertThat(names).anyMatch(name -> lines(name, 0, name.getText().length()) == 2);
            assertThat(names).allMatch(name -> lines(name, name.getText().indexOf('('), name.getText().length()) == 1);
            return null;
        });
    }

    @Test
    void everyPanelOfManyCanBeNamedThoughThereIsRoomForItsNumberOnly() throws Exception {
        List<ArmSnapshot> arms = new ArrayList<>();
        for (String scheme : List.of("keel", "pre_ln", "post_ln", "highway", "deepnorm", "mix_ln", "hybrid_norm", "keel_scaled_input")) {
            arms.add(FormulaArm.of(scheme, arms.size(), 64, 400, 99, 0));
        }
        for (double width : new double[] {300, 400, 900}) {
            HeatMapChart chart = shown(ChartsTest::gradients, arms);
            resize(chart, width, 300, 12);
            List<Label> titles = onFx(() -> chart.lookupAll(".panel-title").stream().map(Label.class::cast).toList());
            String key = onFx(() -> ((Label) chart.lookup(".tile-key")).getText());
            assertThat(titles).hasSize(8);
            onFx(() -> {
                for (int i = 0; i < 8; i++) {
                    String name = Arms.title(arms.get(i));
                    Label title = titles.get(i);
                    assertThat(((Text) title.lookup(".text")).getText()).as("what is seen").isEqualTo(title.getText());
                    assertThat(title.getText().equals(name) || key.contains(i + 1 + ": " + name + " · ")).as(width + ": " + title.getText() + " in " + key).isTrue();
                    for (int at = 0; at + 1 < title.getText().length(); at++) {
                        boolean word = title.getText().charAt(at) != ' ' && title.getText().charAt(at + 1) != ' ';
                        assertThat(word && lines((Text) title.lookup(".text"), at, at + 2) > 1).as(title.getText() + " is broken at " + at).isFalse();
                    }
                }
                return null;
            });
            assertThat(key.contains("8: ")).as("the longest name has no room: " + width).isEqualTo(width < 900);
        }
    }

    /** How many lines letters of a text stand in. */
    private static long lines(Text text, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(at -> ((MoveTo) text.rangeShape(at, at + 1)[0]).getY())
                .distinct()
                .count();
    }

    @Test
    void whatAnEndedRunDoesNotHaveIsNotRecordedAndHasNoNumbersOnTheColourBar() throws Exception {
        HeatMapChart chart = shown(ChartsTest::gradients, List.of(imported(RunStatus.FINISHED)));
        awaitLayout(chart.plots().get(0));
        assertThat(onFx(chart.bar()::numbers)).isEmpty();
        assertThat(onFx(chart::keyText)).endsWith("was not recorded");
        assertThat(onFx(() -> chart.summary(imported(RunStatus.FINISHED)))).isEqualTo("not recorded");
        assertThat(onFx(() -> chart.summary(imported(RunStatus.RUNNING)))).isEqualTo("not recorded yet");
        onFx(() -> {
            chart.show(List.of(imported(RunStatus.RUNNING)));
            return null;
        });
        assertThat(onFx(chart::keyText)).endsWith("was not recorded yet");
        onFx(() -> {
            chart.show(FormulaArm.three(399));
            return null;
        });
        await(() -> !chart.bar().numbers().isEmpty());
    }

    // ---- every measure by layer

    private static double[] parts(Plot plot, ArmSnapshot arm, SubLayers... parts) {
        double[] all = new double[arm.info().layers() + 1];
        Arrays.fill(all, Double.NaN);
        for (SubLayers part : parts) {
            Curve curve = curve(plot, LayerChart.lineKey(arm, part));
            for (int i = 0; i < curve.getDataCount(); i++) {
                all[(int) xs(curve)[i]] = ys(curve)[i];
            }
        }
        return all;
    }

    @Test
    void everyChartByLayerHoldsItsMeasureOfEverySubLayer() throws Exception {
        List<ArmSnapshot> arms = FormulaArm.four(399);
        for (LayerPlan plan : List.of(
                LayerPlans.PARAMETER_GRADIENT, LayerPlans.ACTIVATION_GRADIENT, LayerPlans.TRANSFORM_GATE, LayerPlans.TRAINED_GATE,
                LayerPlans.RESIDUAL_FACTOR, LayerPlans.INPUT_RMS, LayerPlans.CARRY_RMS, LayerPlans.TRANSFORM_RMS, LayerPlans.COSINE,
                LayerPlans.UPDATE_RATIO, LayerPlans.PARAMETER_NORM, LayerPlans.ALPHA)) {
            LayerChart chart = shown(() -> new LayerChart(plan), arms);
            for (ArmSnapshot arm : arms) {
                FormulaArm.value(plan.measure(), arm.info().scheme(), 64, 399).ifPresentOrElse(
                        formula -> {
                            double[] drawn = plan.apart()
                                    ? parts(chart.plot(), arm, SubLayers.ATTENTION, SubLayers.FEED_FORWARD)
                                    : parts(chart.plot(), arm, SubLayers.ALL);
                            for (int l = 0; l < 64; l++) {
                                double value = formula.applyAsDouble(l);
                                assertThat(drawn[l]).as(plan.title() + " of sub-layer " + l).isCloseTo(value, within(2e-7 * Math.max(1, value)));
                            }
                        },
                        () -> assertThat(chart.plot().names()).as(plan.title()).doesNotContain(Arms.title(arm)));
            }
            assertThat(chart.formula()).as(plan.title()).isPresent();
            assertThat(chart.explanation()).contains(plan.measure().explanation());
        }
    }

    @Test
    void theActivationGradientReachesToWhatLeavesTheLastSubLayer() throws Exception {
        List<ArmSnapshot> arms = FormulaArm.three(399);
        Plot plot = shown(() -> new LayerChart(LayerPlans.ACTIVATION_GRADIENT), arms).plot();
        assertThat(xs(curve(plot, LayerChart.lineKey(arms.get(0), SubLayers.ALL)))).hasSize(65).endsWith(64);
        assertThat(onFx(() -> plot.view().xMax())).isGreaterThanOrEqualTo(64);
    }

    @Test
    void theTransformGatesBandFollowsFromTheCarryGates() throws Exception {
        List<ArmSnapshot> arms = FormulaArm.three(399);
        Plot plot = shown(() -> new LayerChart(LayerPlans.TRANSFORM_GATE), arms).plot();
        // Sub-layer 9 of Pre-LN: carry p05 = 1 − 1.5 · 0.03, p95 = 1 − 0.6 · 0.03; transform = √(1 − carry²).
        Curve band = curve(plot, LayerChart.bandKey(arms.get(1), SubLayers.FEED_FORWARD));
        assertThat(band.low(4)).isCloseTo(Math.sqrt(1 - 0.982 * 0.982), within(1e-6));
        assertThat(ys(band)[4]).isCloseTo(Math.sqrt(1 - 0.955 * 0.955), within(1e-6));
    }

    @Test
    void theTrainedGateShowsItsBandAndTheShareThatIsSaturated() throws Exception {
        ArmSnapshot highway = FormulaArm.four(399).get(3);
        LayerChart chart = shown(() -> new LayerChart(LayerPlans.TRAINED_GATE), List.of(highway));
        float[] mean = highway.layers().get(Measure.GATE_MEAN).values();
        float[] low = highway.layers().get(Measure.GATE_LOW).values();
        float[] high = highway.layers().get(Measure.GATE_HIGH).values();
        Curve band = curve(chart.plot(), LayerChart.bandKey(highway, SubLayers.ATTENTION));
        assertThat(band.low(10)).isCloseTo(0.7 * mean[20], within(1e-6));
        assertThat(ys(band)[10]).isCloseTo(1.3 * mean[20], within(1e-6));
        assertThat(ys(curve(chart.plot(), LayerChart.secondKey(highway, SubLayers.FEED_FORWARD)))[10])
                .isCloseTo(low[21] + high[21], within(1e-6));
        onFx(() -> {
            chart.lookupAll(".tile-switch").stream().filter(n -> n.toString().contains("Min–max")).forEach(n -> ((ToggleButton) n).fire());
            return null;
        });
        assertThat(curve(chart.plot(), LayerChart.bandKey(highway, SubLayers.ATTENTION)).low(10)).isCloseTo(0.2 * mean[20], within(1e-6));
    }

    @Test
    void guidesStandAtTheSquareRootOfTheLayerAndAtAThousandth() throws Exception {
        Plot rms = shown(() -> new LayerChart(LayerPlans.INPUT_RMS), FormulaArm.three(399)).plot();
        assertThat(ys(curve(rms, "guide √l"))[49]).isEqualTo(7);
        Plot ratio = shown(() -> new LayerChart(LayerPlans.UPDATE_RATIO), FormulaArm.three(399)).plot();
        assertThat(ys(curve(ratio, "guide 10⁻³"))).containsOnly(1e-3);
        assertThat(ratio.yAxis().isLogAxis()).isTrue();
        assertThat(ratio.names()).contains("10⁻³");
    }

    @Test
    void theResidualFactorShowsTheoryBesideWhatWasMeasured() throws Exception {
        List<ArmSnapshot> arms = FormulaArm.three(399);
        Plot plot = shown(() -> new LayerChart(LayerPlans.RESIDUAL_FACTOR), arms).plot();
        assertThat(ys(curve(plot, LayerChart.theoryKey(arms.get(2))))[5]).isCloseTo(1 / Math.sqrt(2), within(1e-12));
        assertThat(ys(curve(plot, LayerChart.theoryKey(arms.get(0))))[5]).isCloseTo(64 / Math.sqrt(64 * 64 + 1), within(1e-12));
    }

    @Test
    void aClickOnAChartByLayerAsksToFollowThatSubLayerAndPinnedOnesAreMarked(FxRobot robot) throws Exception {
        LayerChart chart = shown(() -> new LayerChart(LayerPlans.PARAMETER_GRADIENT), FormulaArm.three(399));
        List<Integer> asked = Collections.synchronizedList(new ArrayList<>());
        awaitLayout(chart.plot());
        onFx(() -> {
            chart.setOnPin(asked::add);
            return null;
        });
        robot.clickOn(onScreen(chart.plot(), 20, 1e-2));
        await(() -> asked.equals(List.of(20)));
        onFx(() -> {
            chart.pinned(new TreeSet<>(List.of(20)));
            return null;
        });
        assertThat(chart.plot().marks()).containsExactly(new Plot.Mark(20, "20", "pinned", true));
    }

    // ---- over steps

    @Test
    void everyChartOverStepsHoldsItsMeasureOfEveryStep() throws Exception {
        List<ArmSnapshot> arms = FormulaArm.three(399);
        ArmSnapshot keel = arms.get(0);
        String line = "line 0 keel";
        assertThat(ys(curve(shown(() -> new RunMeasureChart(StepPlan.GRADIENT_NORM), arms).plot(), line))[100])
                .isCloseTo(FormulaArm.norm(100), within(1e-12));
        assertThat(ys(curve(shown(() -> new RunMeasureChart(StepPlan.LEARNING_RATE), arms).plot(), line))[39]).isCloseTo(3e-3, within(1e-12));
        // 512 tokens a step of 20 + 2 sin s milliseconds.
        assertThat(ys(curve(shown(() -> new RunMeasureChart(StepPlan.TOKENS_PER_SECOND), arms).plot(), line))[0])
                .isCloseTo(512 / 0.020, within(1e-6));
        assertThat(ys(curve(shown(() -> new RunMeasureChart(StepPlan.MEMORY), arms).plot(), line))[0]).isCloseTo(0.4, within(1e-12));
        Curve accuracy = curve(shown(() -> new RunMeasureChart(StepPlan.ACCURACY), arms).plot(), line);
        assertThat(xs(accuracy)).hasSize(keel.validation().size()).startsWith(49);
        assertThat(ys(accuracy)[0]).isCloseTo(1 - Math.exp(-49 / 200.0), within(1e-12));
    }

    @Test
    void commandsAreMarkedOnEveryChartOverStepsWithTheirText(FxRobot robot) throws Exception {
        RunEvent lr = new RunEvent(1, 120, 0, "lr", "Learning rate set to 0.001 at step 120.");
        ArmSnapshot arm = FormulaArm.of("keel", 0, 64, 400, 399, 0.05, RunStatus.RUNNING, List.of(lr));
        Plot plot = shown(() -> new RunMeasureChart(StepPlan.LEARNING_RATE), List.of(arm)).plot();
        assertThat(plot.marks()).containsExactly(new Plot.Mark(120, "Keel: Learning rate set to 0.001 at step 120.", "arm-0", false));
        awaitLayout(plot);
        robot.moveTo(onScreen(plot, 120, 0.002));
        await(() -> plot.hoverText().contains("Learning rate set to 0.001 at step 120."));
    }

    @Test
    void recentStepsAreTheLastQuarterAndFixedAxesStay() throws Exception {
        RunMeasureChart chart = shown(() -> new RunMeasureChart(StepPlan.GRADIENT_NORM), FormulaArm.three(199));
        onFx(() -> {
            chart.range(AxisRange.RECENT);
            return null;
        });
        Plot.View recent = onFx(() -> chart.plot().view());
        assertThat(recent.xMin()).isCloseTo(150, within(2.0));
        assertThat(recent.xMax()).isCloseTo(199, within(2.0));
        onFx(() -> {
            chart.range(AxisRange.FIXED);
            chart.show(FormulaArm.three(399));
            return null;
        });
        assertThat(onFx(() -> chart.plot().view())).isEqualTo(recent);
        onFx(() -> {
            chart.range(AxisRange.ALL);
            return null;
        });
        assertThat(onFx(() -> chart.plot().view().xMin())).isLessThanOrEqualTo(0);
    }

    @Test
    void aClickAtAStepAsksForTheCursorAndTheCursorStandsThere(FxRobot robot) throws Exception {
        RunMeasureChart chart = shown(() -> new RunMeasureChart(StepPlan.GRADIENT_NORM), FormulaArm.three(399));
        List<Integer> asked = Collections.synchronizedList(new ArrayList<>());
        awaitLayout(chart.plot());
        onFx(() -> {
            chart.setOnCursor(asked::add);
            return null;
        });
        robot.clickOn(onScreen(chart.plot(), 200, 2));
        await(() -> asked.size() == 1 && Math.abs(asked.get(0) - 200) <= 1);
        onFx(() -> {
            chart.cursor(OptionalInt.of(200));
            return null;
        });
        assertThat(chart.plot().cursor()).hasValue(200);
    }

    @Test
    void zoomingAChartOverStepsSaysWhichStepsAreOnScreen() throws Exception {
        LossChart chart = shown(LossChart::new, FormulaArm.three(399));
        List<String> told = new ArrayList<>();
        assertThat(onFx(chart::visibleSteps)).isEmpty();
        onFx(() -> {
            chart.setOnView(() -> told.add("view"));
            chart.plot().zoomTo(new Plot.View(100, 150, 2, 3));
            return null;
        });
        assertThat(onFx(chart::visibleSteps)).contains(new StepRange(100, 150));
        assertThat(told).isNotEmpty();
    }

    @Test
    void pinnedSubLayersAreFollowedOverTheStepsInTheChosenMeasure() throws Exception {
        List<ArmSnapshot> arms = FormulaArm.four(399);
        PinnedChart chart = shown(() -> new PinnedChart(Measure.PARAM_GRAD_NORM), arms);
        assertThat(onFx(chart::matrices)).containsExactly(Measure.PARAM_GRAD_NORM);
        onFx(() -> {
            chart.pinned(new TreeSet<>(List.of(7)));
            chart.measure(Measure.PARAM_NORM);
            return null;
        });
        assertThat(onFx(chart::matrices)).containsExactly(Measure.PARAM_NORM);
        Curve curve = curve(chart.plot(), PinnedChart.lineKey(arms.get(0), 7));
        // 15 + 0.02 s at an odd sub-layer.
        for (int i = 0; i < curve.getDataCount(); i++) {
            assertThat(ys(curve)[i]).isCloseTo(15 + 0.02 * xs(curve)[i], within(1e-5));
        }
        assertThat(chart.plot().names()).contains("Keel 7", "Highway 7").hasSize(4);
    }

    // ---- ridges

    @Test
    void aRidgeStandsAtItsSubLayerAndItsHeightFollowsTheShareOfTheBin() throws Exception {
        ArmSnapshot highway = FormulaArm.of("highway", 0, 16, 400, 300, 0.05);
        RidgeChart chart = shown(RidgeChart::new, List.of(highway));
        Curve five = curve(chart.plot(), RidgeChart.lineKey(highway, 5));
        double height = ys(five)[4] - 5;
        assertThat(height).isPositive();
        for (int bin = 0; bin < 32; bin++) {
            assertThat((ys(five)[bin + 1] - 5) / height)
                    .isCloseTo(FormulaArm.share(16, 300, 5, bin) / FormulaArm.share(16, 300, 5, 3), within(1e-4));
        }
        onFx(() -> {
            chart.overSteps(true);
            chart.pinned(new TreeSet<>(List.of(7)));
            return null;
        });
        assertThat(onFx(chart::histograms)).containsExactly(7);
        assertThat(chart.plot().yAxis().getName()).isEqualTo("step");
        assertThat(chart.plot().find(RidgeChart.lineKey(highway, 19))).isPresent();
    }

    @Test
    void ridgesAreOfOneArmAtATimeSinceThoseOfAnotherWouldCoverThem() throws Exception {
        ArmSnapshot first = FormulaArm.of("highway", 0, 16, 400, 300, 0.05);
        ArmSnapshot second = FormulaArm.of("highway", 1, 16, 400, 300, 0.05).withArm("wide open");
        RidgeChart chart = shown(RidgeChart::new, List.of(FormulaArm.of("keel", 2, 16, 400, 300, 0.05), first, second));
        assertThat(chart.plot().find(RidgeChart.lineKey(first, 5))).isPresent();
        assertThat(chart.plot().find(RidgeChart.lineKey(second, 5))).isEmpty();
        onFx(() -> {
            chart.want("wide open");
            return null;
        });
        assertThat(chart.plot().find(RidgeChart.lineKey(first, 5))).isEmpty();
        assertThat(chart.plot().find(RidgeChart.lineKey(second, 5))).isPresent();
        assertThat(onFx(chart::chosen)).containsEntry("arm", "wide open");
    }

    // ---- differences

    @Test
    void theDifferenceOfTwoArmsIsTheLogarithmOfTheirRatioInColoursThatAreWhiteAtNone() throws Exception {
        int n = 20;
        int[] steps = new int[n];
        float[][] twice = new float[n][4];
        float[][] once = new float[n][4];
        for (int c = 0; c < n; c++) {
            steps[c] = c;
            Arrays.fill(twice[c], 0.2f);
            Arrays.fill(once[c], 0.1f);
            twice[c][3] = 0.1f;
        }
        HeatMapChart chart = shown(
                () -> new HeatMapChart("Difference", Measure.PARAM_GRAD_NORM, true),
                List.of(withCells(0, steps, steps, twice), withCells(1, steps, steps, once)));
        assertThat(onFx(chart::choices)).containsExactly("Each arm", "Keel / Keel");
        assertThat(chart.plots()).hasSize(1);
        assertThat(chart.data(0).cells()[5][1]).as("log2 of 2").isCloseTo(1, within(1e-3f));
        assertThat(chart.data(0).cells()[5][3]).as("log2 of 1").isCloseTo(0, within(1e-3f));
        assertThat(chart.bar().low()).isCloseTo(1 / chart.bar().high(), within(1e-9));
        onFx(() -> {
            chart.choose(0);
            return null;
        });
        assertThat(chart.plots()).hasSize(2);
    }

    @Test
    void theHeatMapShowsAnyMeasureAndAsksForIt() throws Exception {
        List<ArmSnapshot> arms = FormulaArm.four(399);
        HeatMapChart chart = shown(ChartsTest::gradients, arms);
        for (Measure measure : Measure.values()) {
            if (measure == Measure.GATE_HISTOGRAM) {
                continue;
            }
            onFx(() -> {
                chart.measure(measure);
                return null;
            });
            assertThat(onFx(chart::matrices)).containsExactly(measure);
            assertThat(chart.data(0).matrix()).isEqualTo(arms.get(0).matrix(measure));
            assertThat(chart.bar().name()).startsWith(measure.title());
            assertThat(chart.formula()).contains(measure.formula());
        }
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

    /** What has not changed is not drawn again, so what has must be. */
    @Test
    void whatHasChangedIsDrawnInEveryPlot() throws Exception {
        for (ChartTile tile : onFx(ChartsTest::all)) {
            shown(() -> tile, FormulaArm.three(60));
            pulses(6);
            List<Image> before = onFx(() -> drawn(tile));
            String data = onFx(tile::csv);
            onFx(() -> {
                tile.show(FormulaArm.three(300));
                return null;
            });
            pulses(6);
            if (!data.equals(onFx(tile::csv))) {
                List<Image> after = onFx(() -> drawn(tile));
                assertThat(after).as(tile.title()).hasSameSizeAs(before).isNotEmpty();
                for (int i = 0; i < before.size(); i++) {
                    assertThat(pixels(after.get(i))).as("plot %d of %s", i, tile.title()).isNotEqualTo(pixels(before.get(i)));
                }
            }
        }
    }

    /** What every plot in a tile has on its canvas. */
    private static List<Image> drawn(Node node) {
        if (node instanceof Plot plot) {
            return List.of(plot.chart().getCanvas().snapshot(null, null));
        }
        return node instanceof Parent parent
                ? parent.getChildrenUnmodifiable().stream().flatMap(child -> drawn(child).stream()).toList()
                : List.of();
    }

    private static int[] pixels(Image image) {
        int width = (int) image.getWidth();
        int height = (int) image.getHeight();
        int[] pixels = new int[width * height];
        image.getPixelReader().getPixels(0, 0, width, height, PixelFormat.getIntArgbInstance(), pixels, 0, width);
        return pixels;
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
            for (double size : new double[] {13, 21}) {
                resize(tile, 300, 400, size);
                onFx(() -> {
                    assertThat(((Text) tile.lookup(".tile-title").lookup(".text")).getText()).isEqualTo(tile.title());
                    tile.lookupAll(".tile-switch").forEach(node -> assertThat(((Region) node).getWidth())
                            .as(tile.title() + ": " + node)
                            .isGreaterThanOrEqualTo(Math.floor(((Region) node).prefWidth(-1))));
                    return null;
                });
            }
        }
    }

    private void resize(ChartTile tile, double width, double height, double typeSize) throws Exception {
        onFx(() -> {
            tile.setMaxSize(width, height);
            tile.setStyle("-fx-font-size: " + typeSize + "px");
            return null;
        });
        await(() -> tile.getWidth() == width && tile.getHeight() == height && !tile.isNeedsLayout());
        pulses(4);
    }

    /** Charts draw in the pulse after the one that lays them out. */
    private void pulses(int count) throws Exception {
        AtomicInteger left = new AtomicInteger(count);
        AnimationTimer timer = onFx(() -> new AnimationTimer() {
            @Override
            public void handle(long now) {
                left.decrementAndGet();
            }
        });
        onFx(() -> {
            timer.start();
            return null;
        });
        await(() -> left.get() <= 0);
        onFx(() -> {
            timer.stop();
            return null;
        });
    }

    @Test
    void noWordsInAPlotLieOnOtherWordsHoweverSmallTheTile() throws Exception {
        List<RunEvent> events = List.of(
                new RunEvent(1, 60, 0, "spike", "A spike."), new RunEvent(2, 61, 0, "stagnation", "It stagnates."),
                new RunEvent(3, 90, 0, "killed", "It was killed."));
        List<ArmSnapshot> arms = new ArrayList<>();
        for (String scheme : List.of("keel", "pre_ln", "post_ln", "highway")) {
            arms.add(FormulaArm.of(scheme, arms.size(), 64, 400, 90 + 3 * arms.size(), 0.05, RunStatus.RUNNING, events, EnumSet.allOf(Measure.class)));
        }
        for (ChartTile tile : onFx(ChartsTest::all)) {
            shown(() -> tile, arms);
            onFx(() -> {
                tile.pinned(new TreeSet<>(List.of(7, 8, 40)));
                return null;
            });
            for (double[] size : new double[][] {{300, 260}, {420, 330}, {900, 600}}) {
                resize(tile, size[0], size[1], 15);
                List<Label> words = onFx(() -> Stream.of(".curve-name", ".mark-name")
                        .flatMap(style -> tile.lookupAll(style).stream())
                        .filter(Node::isVisible)
                        .map(Label.class::cast)
                        .toList());
                for (int i = 0; i < words.size(); i++) {
                    Bounds one = words.get(i).localToScene(words.get(i).getLayoutBounds());
                    for (Label other : words.subList(0, i)) {
                        Bounds two = other.localToScene(other.getLayoutBounds());
                        double across = Math.min(one.getMaxX(), two.getMaxX()) - Math.max(one.getMinX(), two.getMinX());
                        double down = Math.min(one.getMaxY(), two.getMaxY()) - Math.max(one.getMinY(), two.getMinY());
                        assertThat(across > 2 && down > 2)
                                .as(tile.title() + " " + size[0] + ": " + words.get(i).getText() + " on " + other.getText())
                                .isFalse();
                    }
                }
            }
        }
    }

    @Test
    void valuesLieWhereTheAxisSaysAlsoWhenThePlotHasGrownOrShrunk() throws Exception {
        LayerChart chart = shown(() -> new LayerChart(LayerPlans.CARRY_GATE), FormulaArm.three(399));
        for (int words = 0; words < 60; words += 7) {
            resize(chart, 420, 400 - words % 4 * 11, 15);
            String key = "word ".repeat(words);
            onFx(() -> {
                chart.key(key);
                return null;
            });
            pulses(4);
            onFx(() -> {
                PaperAxis axis = chart.plot().yAxis();
                double height = chart.plot().chart().getCanvas().getHeight();
                assertThat(axis.getLength()).isEqualTo(height);
                // Turned upside down: the greatest position is at the bottom.
                assertThat(axis.getDisplayPosition(axis.getMax())).isCloseTo(height, within(0.01));
                assertThat(axis.getDisplayPosition(axis.getMin())).isCloseTo(0, within(0.01));
                assertThat(axis.getTickMarks()).allSatisfy(tick -> assertThat(tick.getPosition())
                        .isCloseTo(axis.getDisplayPosition(tick.getValue()), within(0.01)));
                assertThat(chart.plot().xAxis().getLength()).isEqualTo(chart.plot().chart().getCanvas().getWidth());
                return null;
            });
        }
    }

    @Test
    void aCurveThatLeavesTheAxisIsNamedWhereItLeftWithAnArrow() throws Exception {
        LayerChart chart = shown(() -> new LayerChart(LayerPlans.HIGHWAY_TRANSPORT), FormulaArm.three(399));
        awaitLayout(chart.plot());
        onFx(() -> {
            // At the last layers Post-LN's transport is near 1, at the first 1e-9.
            chart.plot().zoomTo(new Plot.View(-1, 20, 0.1, 2));
            return null;
        });
        await(() -> chart.plot().shownNames().equals(List.of("Keel", "Pre-LN", "Post-LN ↓")));
    }

    @Test
    void theTicksOfEventsAreExplainedAndAShortRecipeIsNotSmoothed() throws Exception {
        RunEvent checkpoint = new RunEvent(1, 59, 0, "checkpoint", "Checkpoint.");
        ArmSnapshot arm = FormulaArm.of("keel", 0, 16, 60, 59, 0.05, RunStatus.FINISHED, List.of(checkpoint));
        LossChart chart = shown(LossChart::new, List.of(arm));
        assertThat(onFx(() -> ((Label) chart.lookup(".tile-key")).getText()))
                .isEqualTo("line: each step · markers: validation · ticks: checkpoint");
        assertThat(ys(curve(chart.plot(), "smooth 0 keel"))).isEqualTo(arm.steps().loss());
    }

    @Test
    void whatIsChosenOnAChartCanBeKeptAndChosenAgain() throws Exception {
        for (ChartTile tile : onFx(ChartsTest::all)) {
            shown(() -> tile, FormulaArm.four(30));
            SortedMap<String, String> chosen = new TreeMap<>(onFx(tile::chosen));
            chosen.computeIfPresent("axes", (name, word) -> "RECENT");
            chosen.computeIfPresent("log", (name, word) -> word.equals("true") ? "false" : "true");
            chosen.computeIfPresent("linear", (name, word) -> "true");
            chosen.computeIfPresent("smoothing", (name, word) -> "0.25");
            chosen.computeIfPresent("sub-layers", (name, word) -> "ATTENTION");
            chosen.computeIfPresent("band", (name, word) -> "Min–max");
            chosen.computeIfPresent("measure", (name, word) -> "UPDATE_RATIO");
            chosen.computeIfPresent("arms", (name, word) -> "2");
            chosen.computeIfPresent("steps", (name, word) -> "true");
            chosen.computeIfPresent("sub-layer", (name, word) -> "9");
            onFx(() -> {
                tile.choose(chosen);
                tile.choose(Map.of("measure", "TASTE", "colour", "red", "smoothing", "much"));
                return null;
            });
            SortedMap<String, String> now = onFx(tile::chosen);
            if (chosen.containsKey("band") && !now.get("band").equals("Min–max")) {
                // Only the trained gate has that band.
                chosen.put("band", now.get("band"));
            }
            assertThat(now).as(tile.title()).isEqualTo(chosen);
        }
    }

    @Test
    void axesThatStandStillAreThereAgainAtTheNextStartWithTheirLimits() throws Exception {
        for (ChartKind kind : ChartCatalog.all()) {
            ChartTile tile = shown(kind.make()::get, FormulaArm.four(99));
            Map<String, String> kept = onFx(() -> {
                tile.range(AxisRange.FIXED);
                return tile.chosen();
            });
            List<Plot.View> before = onFx(() -> tile.plots().stream().map(Plot::view).toList());
            ChartTile next = shown(() -> {
                ChartTile made = kind.make().get();
                made.choose(kept);
                return made;
            }, FormulaArm.four(299));
            assertThat(onFx(() -> next.plots().stream().map(Plot::view).toList())).as(kind.id()).isEqualTo(before);
            assertThat(onFx(next::chosen)).as(kind.id()).isEqualTo(kept);
            assertThat(onFx(() -> ((Label) next.lookup(".tile-key")).getText())).endsWith(" · axes stay as they are");
            if (next instanceof HeatMapChart map) {
                assertThat(onFx(() -> map.bar().high())).isEqualTo(onFx(() -> ((HeatMapChart) tile).bar().high()));
            }
        }
    }

    @Test
    void whatWasZoomedIntoWhenTheAxesWereToStandStillIsZoomedIntoAgain() throws Exception {
        Plot.View part = new Plot.View(50, 100, 2.5, 3.5);
        LossChart chart = shown(LossChart::new, FormulaArm.three(199));
        Map<String, String> kept = onFx(() -> {
            chart.plot().zoomTo(part);
            chart.range(AxisRange.FIXED);
            return chart.chosen();
        });
        Plot.View whole = onFx(() -> {
            chart.resetZoom();
            return chart.plot().view();
        });
        LossChart next = shown(() -> {
            LossChart made = new LossChart();
            made.choose(kept);
            return made;
        }, FormulaArm.three(399));
        assertThat(onFx(() -> next.plot().view())).isEqualTo(part);
        assertThat(onFx(next::visibleSteps)).contains(new StepRange(50, 100));
        assertThat(onFx(() -> {
            next.resetZoom();
            return next.plot().view();
        })).isEqualTo(whole);
    }

    @Test
    void axesThatStandStillAndShowNothingOfARunThatHasEndedAreFittedToIt() throws Exception {
        Map<String, String> far = Map.of("axes", "FIXED", "axes-limits", "0.0 400.0 50.0 60.0", "axes-log", "false");
        for (RunStatus status : List.of(RunStatus.RUNNING, RunStatus.FINISHED)) {
            ArmSnapshot arm = FormulaArm.of("keel", 0, 64, 400, 399, 0, status, List.of());
            LossChart chart = shown(() -> {
                LossChart made = new LossChart();
                made.choose(far);
                return made;
            }, List.of(arm));
            Plot.View view = onFx(() -> chart.plot().view());
            assertThat(view.yMin()).as("its losses may yet come there").isEqualTo(status == RunStatus.RUNNING ? 50 : view.yMin());
            assertThat(view.yMin() < FormulaArm.loss("keel", 399)).isEqualTo(status == RunStatus.FINISHED);
            assertThat(onFx(() -> chart.range())).isEqualTo(AxisRange.FIXED);
        }
    }

    @Test
    void limitsThatCannotBeReadAreNone() throws Exception {
        for (String limits : List.of("", "1 2 3", "0 1 5 5", "0 NaN 1 2", "a b c d")) {
            LossChart chart = shown(LossChart::new, FormulaArm.three(9));
            onFx(() -> {
                chart.choose(Map.of("axes", "FIXED", "axes-limits", limits));
                return null;
            });
            assertThat(onFx(() -> chart.range())).as(limits).isEqualTo(AxisRange.ALL);
        }
    }

    @Test
    void armsThatStandForSeveralShowTheIntervalOverThese() throws Exception {
        ArmSnapshot one = FormulaArm.of("pre_ln", 0, 8, 400, 30, 0.05);
        LayerValues mean = one.layers().get(Measure.CARRY_GATE_MEAN);
        float[] low = mean.values().clone();
        float[] high = mean.values().clone();
        for (int l = 0; l < low.length; l++) {
            low[l] -= 0.01f;
            high[l] += 0.001f;
        }
        Map<Measure, LayerValues> layers = new EnumMap<>(one.layers());
        layers.put(Measure.CARRY_GATE_MEAN, new LayerValues(mean.step(), mean.values(), low, high));
        ArmSnapshot group = new ArmSnapshot(
                one.file(), one.info(), one.state(), 0, one.lastStep(), one.steps(), one.validation(), List.of(), -1, layers, Map.of(), Map.of());
        LayerChart chart = shown(() -> new LayerChart(LayerPlans.CARRY_GATE), List.of(group));
        Curve band = curve(chart.plot(), LayerChart.bandKey(group, SubLayers.ATTENTION));
        assertThat(ys(band)[1]).isCloseTo(1 - (double) high[2], within(1e-6));
        assertThat(band.low(1)).isCloseTo(1 - (double) low[2], within(1e-6));
        assertThat(onFx(() -> ((Label) chart.lookup(".tile-key")).getText())).endsWith("band: 95 % interval over arms").doesNotContain("p05");
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
