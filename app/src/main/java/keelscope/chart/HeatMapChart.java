package keelscope.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javafx.application.Platform;
import javafx.geometry.Pos;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Pane;
import javafx.scene.text.Font;
import keelscope.run.ArmSnapshot;
import keelscope.run.StepRange;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.Measure;
import keelscope.text.Quantities;

/**
 * A measure of every sub-layer over all steps, one panel an arm, one scale of colours for all; or how two arms differ, as
 * the logarithm of their ratio where the measure is one of magnitudes.
 */
final class HeatMapChart extends ChartTile {
    private static final String ALL_ARMS = "Each arm";
    // A panel of fewer lines of type has no room for a long name beside it.
    private static final double SHORT = 9;

    // A name above a panel takes so many lines at most.
    private static final int NAME_LINES = 2;

    private final List<Panel> panels = new ArrayList<>();
    private final ColourBar bar = new ColourBar();
    private final SteadyLimits limits = new SteadyLimits();
    private final PanelRow row = new PanelRow();
    private final MeasureChoice measure;
    private final ChoiceBox<String> pairs = new ChoiceBox<>();
    // The cells of the arms whose difference is shown.
    private final HeatMapData minuend = new HeatMapData("first arm");
    private final HeatMapData subtrahend = new HeatMapData("second arm");
    private List<ArmSnapshot> arms = List.of();
    private List<String> titles = List.of();
    private boolean following;
    // Which of the choices the user wants, as far as it is offered.
    private int wanted;
    private boolean choosing;

    /** @param difference whether it shows the difference of the first two arms first */
    HeatMapChart(String title, Measure first, boolean difference) {
        super(
                title,
                difference
                        ? "Where and when two arms differ: white where they are alike, orange where the first has more, blue where the second has."
                                + " Magnitudes are compared by their ratio, gates and cosines by their difference."
                        : "A measure of every sub-layer at every step, input at the bottom, the same colours in every panel."
                                + " Look for bands that spread over the layers, and for the step at which they begin.");
        wanted = difference ? 1 : 0;
        measure = new MeasureChoice(first, now -> {
            limits.forget();
            viewChanged();
            redraw();
        });
        pairs.getItems().setAll(ALL_ARMS);
        pairs.setValue(ALL_ARMS);
        pairs.setAccessibleText("Each arm, or the difference of two");
        pairs.getStyleClass().add("tile-choice");
        pairs.valueProperty().addListener((o, before, now) -> {
            if (!choosing) {
                choose(pairs.getSelectionModel().getSelectedIndex());
            }
        });
        addSwitches(measure, pairs);
        remember("measure", Measure.class, measure::getValue, measure::setValue);
        remember("arms", () -> Integer.toString(wanted), word -> Quantities.parse(word).ifPresent(place -> choose((int) place)));
        setCenter(row);
        key(keyText());
    }

    /** The measure shown. */
    Measure measure() {
        return measure.getValue();
    }

    void measure(Measure wanted) {
        measure.setValue(wanted);
    }

    /** What is offered: each arm, then the differences. */
    List<String> choices() {
        return List.copyOf(pairs.getItems());
    }

    /** Shows each arm (0) or one of the differences. */
    void choose(int choice) {
        wanted = Math.max(0, choice);
        showChoice();
        limits.forget();
        redraw();
    }

    @Override
    public List<Definition> definitions() {
        return measure == null ? List.of() : List.of(Definition.of(measure()));
    }

    /** The two arms whose difference is shown, none while each is shown. */
    private List<ArmSnapshot> pair() {
        int chosen = pairs.getSelectionModel().getSelectedIndex() - 1;
        for (int a = 0; a < arms.size(); a++) {
            for (int b = a + 1; b < arms.size(); b++) {
                if (chosen-- == 0) {
                    return List.of(arms.get(a), arms.get(b));
                }
            }
        }
        return List.of();
    }

    private void showChoice() {
        choosing = true;
        pairs.getSelectionModel().select(Math.min(wanted, pairs.getItems().size() - 1));
        choosing = false;
    }

    private void offerPairs() {
        boolean ratio = Scale.of(measure()) == Scale.LOG;
        List<String> offered = new ArrayList<>(List.of(ALL_ARMS));
        titles = arms.stream().map(Arms::title).toList();
        for (int a = 0; a < titles.size(); a++) {
            for (int b = a + 1; b < titles.size(); b++) {
                offered.add(titles.get(a) + (ratio ? " / " : " − ") + titles.get(b));
            }
        }
        if (!offered.equals(pairs.getItems())) {
            choosing = true;
            pairs.getItems().setAll(offered);
            showChoice();
        }
    }

    private static final class Panel {
        final Label title = new Label();
        final Tooltip whole = new Tooltip();
        private double tooLongIn;
        private Font tooLongAs;
        final HeatMapData data = new HeatMapData("cells");
        final HeatMapRenderer renderer = new HeatMapRenderer();
        final Plot plot = new Plot(new PaperAxis("step", true), new PaperAxis("", true), renderer);

        Panel() {
            title.setAlignment(Pos.BOTTOM_CENTER);
            title.setWrapText(true);
            title.setManaged(false);
            title.setTooltip(whole);
            plot.setManaged(false);
            plot.getStyleClass().add("heat");
        }

        void name(String name) {
            if (!name.equals(whole.getText())) {
                whole.setText(name);
                title.setText(name);
                tooLongIn = 0;
                title.getParent().requestLayout();
            }
        }

        /**
         * Whether there is room above the panel for its name, and for each word of it in a line. What was too long once stays so while
         * the row is no wider: else a name that just fits would come and go with the numbers beside the colours.
         */
        boolean fits(double width, double line, double row) {
            if (tooLongIn >= row && title.getFont().equals(tooLongAs)) {
                return false;
            }
            boolean fits = true;
            for (String word : name().split(" ")) {
                title.setText(word);
                fits &= title.prefWidth(-1) <= width;
            }
            title.setText(name());
            fits &= title.prefHeight(width) <= NAME_LINES * line;
            tooLongIn = fits ? 0 : row;
            tooLongAs = title.getFont();
            return fits;
        }

        String name() {
            return whole.getText();
        }
    }

    /** Panels in a row or two, all plots the same size; only the left ones have an axis of layers, and only the lower ones one of steps. */
    private final class PanelRow extends Pane {
        private double bottom;
        private double bareBottom;

        /** Writes above each panel its name or, where that is too long, its number: then the key says the name. */
        private void writeNames(double width, double line) {
            String before = keyText();
            for (int i = 0; i < panels.size(); i++) {
                Panel panel = panels.get(i);
                panel.title.setText(panels.size() == 1 || panel.fits(width, line, getWidth()) ? panel.name() : Integer.toString(i + 1));
            }
            if (!keyText().equals(before)) {
                // Not at once: the key above is not to grow while what is below it is laid out.
                Platform.runLater(() -> key(keyText()));
            }
        }

        /** How high the axes of steps are below the lower panels, and what is left of them below the upper ones; true where that is new. */
        private boolean measureAxes(double plotWidth) {
            int n = panels.size();
            double below = panels.get(n - 1).plot.xAxis().prefHeight(plotWidth);
            double bare = n > columns(n) ? panels.get(0).plot.xAxis().prefHeight(plotWidth) : 0;
            boolean changed = below != bottom || bare != bareBottom;
            bottom = below;
            bareBottom = bare;
            return changed;
        }

        @Override
        protected void layoutChildren() {
            int n = panels.size();
            bar.setVisible(n > 0);
            if (n == 0) {
                return;
            }
            int columns = columns(n);
            int rows = (n + columns - 1) / columns;
            double w = getWidth();
            double h = getHeight() / rows;
            double line = panels.get(0).title.prefHeight(-1);
            double between = 0.75 * line;
            for (int i = 0; i < n; i += columns) {
                panels.get(i).plot.yAxis().setName(h < SHORT * line ? "l" : "sub-layer l");
            }
            double barWidth = bar.prefWidth(getHeight() - line - panels.get(0).plot.xAxis().prefHeight(-1));
            double axis = panels.get(0).plot.yAxis().prefWidth(h);
            double bare = columns > 1 ? panels.get(1).plot.yAxis().prefWidth(h) : 0;
            double room = w - barWidth - between - axis - (columns - 1) * (bare + between);
            double plotWidth = Math.max(20, Math.floor(room / columns));
            // A name longer than its panel is wide stands over the gaps beside it, and takes a second line where that is too little.
            double titleWidth = plotWidth + bare + between;
            writeNames(titleWidth, line);
            double titleHeight = Math.min(
                    NAME_LINES * line, panels.stream().mapToDouble(panel -> panel.title.prefHeight(titleWidth)).max().orElse(line));
            measureAxes(plotWidth);
            double plotHeight = Math.max(5, Math.floor((getHeight() - rows * titleHeight - (rows - 1) * bareBottom - bottom) / rows));
            double x = 0;
            for (int i = 0; i < n; i++) {
                Panel panel = panels.get(i);
                int column = i % columns;
                double before = column == 0 ? axis : bare;
                x = column == 0 ? 0 : x;
                double y = i / columns * (titleHeight + plotHeight + bareBottom);
                double below = i / columns == rows - 1 ? bottom : bareBottom;
                panel.title.resizeRelocate(x + before + (plotWidth - titleWidth) / 2, y, titleWidth, titleHeight);
                panel.plot.resizeRelocate(x, y + titleHeight, before + plotWidth, plotHeight + below);
                x += before + plotWidth + between;
            }
            bar.resizeRelocate(w - barWidth, titleHeight, barWidth, Math.max(10, getHeight() - titleHeight - bottom));
            panels.forEach(panel -> panel.plot.layout());
            if (measureAxes(plotWidth)) {
                // ChartFX knows how high an axis is once it has been laid out.
                Platform.runLater(this::requestLayout);
            }
        }
    }

    @Override
    boolean hasStepAxis() {
        return true;
    }

    @Override
    public Set<Measure> matrices() {
        return Set.of(measure());
    }

    @Override
    public Optional<StepRange> visibleSteps() {
        return panels.isEmpty() ? Optional.empty() : panels.get(0).plot.visibleSteps();
    }

    @Override
    List<Plot> plots() {
        return panels.stream().map(panel -> panel.plot).toList();
    }

    HeatMapRenderer renderer(int panel) {
        return panels.get(panel).renderer;
    }

    HeatMapData data(int panel) {
        return panels.get(panel).data;
    }

    ColourBar bar() {
        return bar;
    }

    @Override
    public void resetZoom() {
        panels.forEach(panel -> panel.plot.resetZoom());
    }

    private void redraw() {
        draw(arms);
    }

    @Override
    void draw(List<ArmSnapshot> newArms) {
        if (!Arms.sameFiles(arms, newArms) && range() != AxisRange.FIXED) {
            limits.forget();
        }
        arms = newArms;
        offerPairs();
        List<ArmSnapshot> pair = pair();
        int wanted = pair.isEmpty() ? arms.size() : 1;
        if (panels.size() != wanted) {
            rebuild(wanted);
        }
        if (pair.isEmpty()) {
            each();
        } else {
            difference(pair.get(0), pair.get(1));
        }
        double[] steps = Arms.steps(arms, range());
        int layers = panels.stream().mapToInt(panel -> tallest(panel.data.cells())).max().orElse(0);
        Plot.View view = new Plot.View(steps[0], steps[1], -0.5, Math.max(layers, Arms.layers(arms)) - 0.5);
        if (!panels.isEmpty()) {
            holds(new Plot.View(0, Math.max(0, Arms.lastStep(arms)), view.yMin(), view.yMax()));
        }
        for (Panel panel : panels) {
            panel.plot.home(false, false, view);
            panel.plot.cursor(cursor());
            boolean there = panel.data.getDataCount() > 0;
            if (there != panel.renderer.getDatasets().contains(panel.data)) {
                panel.renderer.getDatasets().setAll(there ? List.of(panel.data) : List.of());
            }
            if (panel.data.takeChanged()) {
                panel.plot.redraw();
            }
        }
        key(keyText());
    }

    private static int tallest(float[][] cells) {
        return cells.length == 0 ? 0 : cells[cells.length - 1].length;
    }

    private void each() {
        Scale scale = Scale.of(measure());
        List<float[][]> cells = new ArrayList<>();
        for (int i = 0; i < arms.size(); i++) {
            Panel panel = panels.get(i);
            panel.data.set(arms.get(i).matrix(measure()), scale);
            cells.add(panel.data.cells());
            panel.name(Arms.wrapping(arms.get(i)));
            StyleClasses.set(panel.title, "label", "panel-title", Arms.style(arms.get(i)));
        }
        double[] percentiles = RobustRange.percentiles(cells);
        bar.numbered(percentiles.length > 0);
        String name = measure().title() + (measure().unit().isEmpty() ? "" : " (" + measure().unit() + ")");
        bar.shows(name, ColourMap.VIRIDIS, scale);
        if (percentiles.length > 0) {
            double[] ends = scale.log() ? new double[] {Math.pow(2, percentiles[0]), Math.pow(2, percentiles[1])} : percentiles;
            limit(scale.log(), ends[0], ends[1]);
            bar.scale(limits.low(), limits.high());
            double low = scale.log() ? log2(limits.low()) : limits.low();
            double high = scale.log() ? log2(limits.high()) : limits.high();
            panels.forEach(panel -> panel.renderer.scale(
                    ColourMap.VIRIDIS, scale.inverted() ? high : low, scale.inverted() ? low : high));
        }
    }

    /** Magnitudes as the logarithm of the first's ratio to the second, others as the first less the second. */
    private void difference(ArmSnapshot first, ArmSnapshot second) {
        boolean ratio = Scale.of(measure()) == Scale.LOG;
        Scale scale = ratio ? Scale.LOG : Scale.LINEAR;
        minuend.set(first.matrix(measure()), scale);
        subtrahend.set(second.matrix(measure()), scale);
        LayerMatrix a = minuend.matrix();
        int columns = a.size();
        while (columns > 0 && a.firstStep()[columns - 1] >= subtrahend.end()) {
            columns--;
        }
        float[][] cells = new float[columns][];
        for (int c = 0; c < columns; c++) {
            int other = subtrahend.column(a.firstStep()[c]);
            float[] above = minuend.cells()[c];
            float[] below = other < 0 ? new float[0] : subtrahend.cells()[other];
            cells[c] = new float[above.length];
            for (int l = 0; l < above.length; l++) {
                cells[c][l] = l < below.length ? above[l] - below[l] : Float.NaN;
            }
        }
        Panel panel = panels.get(0);
        panel.data.set(
                new LayerMatrix(Arrays.copyOf(a.firstStep(), columns), Arrays.copyOf(a.lastStep(), columns), Arrays.copyOf(a.values(), columns)),
                cells);
        panel.name(Arms.wrapping(first) + (ratio ? " / " : " − ") + Arms.wrapping(second));
        StyleClasses.set(panel.title, "label", "panel-title");
        bar.shows(ratio ? "ratio" : "difference", ColourMap.DIVERGING, scale);
        double[] percentiles = RobustRange.percentiles(List.<float[][]>of(cells));
        bar.numbered(percentiles.length > 0);
        if (percentiles.length > 0) {
            double most = Math.max(Math.abs(percentiles[0]), Math.abs(percentiles[1]));
            // White is at no difference, so both ends lie equally far from it.
            if (ratio) {
                limit(true, Math.pow(2, -Math.max(most, 0.01)), Math.pow(2, Math.max(most, 0.01)));
                bar.scale(1 / limits.high(), limits.high());
                panel.renderer.scale(ColourMap.DIVERGING, -log2(limits.high()), log2(limits.high()));
            } else {
                limit(false, -Math.max(most, 1e-9), Math.max(most, 1e-9));
                bar.scale(-limits.high(), limits.high());
                panel.renderer.scale(ColourMap.DIVERGING, -limits.high(), limits.high());
            }
        }
    }

    private void limit(boolean log, double low, double high) {
        if (showsWanted()) {
            keptAxes().flatMap(FixedAxes::colours).ifPresent(ends -> limits.set(log, ends[0], ends[1]));
        }
        boolean lost = Arms.still(arms) && (high < limits.low() || low > limits.high());
        if (range() != AxisRange.FIXED || limits.isUnset() || lost) {
            limits.update(log, low, high, Arms.still(arms));
        }
    }

    private boolean showsWanted() {
        return pairs.getSelectionModel().getSelectedIndex() == wanted;
    }

    @Override
    Optional<FixedAxes> axes() {
        Optional<double[]> colours = limits.isUnset() ? Optional.empty() : Optional.of(new double[] {limits.low(), limits.high()});
        return super.axes().map(axes -> new FixedAxes(axes.log(), axes.home(), axes.zoom(), colours));
    }

    private static double log2(double value) {
        return Math.log(value) / Math.log(2);
    }

    private static int columns(int panels) {
        return panels <= 4 ? panels : (panels + 1) / 2;
    }

    private void rebuild(int n) {
        keepAxes();
        panels.clear();
        row.getChildren().clear();
        for (int i = 0; i < n; i++) {
            Panel panel = new Panel();
            if (i % columns(n) != 0) {
                panel.plot.getStyleClass().add("inner");
            }
            if (i / columns(n) < (n - 1) / columns(n)) {
                panel.plot.getStyleClass().add("upper");
                panel.plot.xAxis().setName("");
            }
            panel.plot.onHover((step, layer) -> hover(panel, step, layer));
            panel.plot.onViewChanged(() -> follow(panel.plot));
            panel.plot.onPick(this::askForCursor);
            panel.plot.cursor(cursor());
            panels.add(panel);
            row.getChildren().addAll(panel.title, panel.plot);
        }
        row.getChildren().add(bar);
    }

    /** All panels show the same layers and steps, so that they can be compared. */
    private void follow(Plot leader) {
        if (following) {
            return;
        }
        following = true;
        for (Panel panel : panels) {
            if (panel.plot != leader) {
                if (leader.zoomed()) {
                    panel.plot.zoomTo(leader.view());
                } else {
                    panel.plot.resetZoom();
                }
            }
        }
        following = false;
        showsReset(leader.zoomed());
        viewChanged();
    }

    String keyText() {
        if (arms.isEmpty()) {
            return "no data yet";
        }
        if (panels.stream().allMatch(panel -> panel.data.getDataCount() == 0)) {
            return measure().title() + " was not recorded" + (Arms.ended(arms) ? "" : " yet");
        }
        return pair().isEmpty()
                ? numberedNames() + "colours: p01–p99 of all arms · grey: no value"
                : "white: alike · orange: " + Arms.wrapping(pair().get(0)) + " has more · blue: " + Arms.wrapping(pair().get(1));
    }

    /** The names of the panels that have no room for them, by their numbers. */
    private String numberedNames() {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < panels.size(); i++) {
            if (panels.get(i).title.getText().equals(Integer.toString(i + 1))) {
                names.append(i + 1).append(": ").append(panels.get(i).name()).append(" · ");
            }
        }
        return names.toString();
    }

    private Optional<HoverCard.Content> hover(Panel panel, double step, double at) {
        int index = panels.indexOf(panel);
        int layer = (int) Math.round(at);
        int column = panel.data.column(step);
        if (index < 0 || index >= arms.size() || column < 0 || step >= panel.data.end()) {
            return Optional.empty();
        }
        List<ArmSnapshot> pair = pair();
        LayerMatrix matrix = panel.data.matrix();
        if (layer < 0 || layer >= matrix.values()[column].length) {
            return Optional.empty();
        }
        int first = matrix.firstStep()[column];
        int last = matrix.lastStep()[column];
        String steps = first == last
                ? "step " + Numbers.grouped(first)
                : "steps " + Numbers.grouped(first) + "–" + Numbers.grouped(last) + " (" + (measure().geometric() ? "geometric mean" : "mean") + ")";
        List<HoverCard.Row> rows = new ArrayList<>();
        Scale scale = Scale.of(measure());
        if (pair.isEmpty()) {
            ArmSnapshot arm = arms.get(index);
            rows.add(row(arm, scale.text(matrix.values()[column][layer]), true));
        } else {
            double cell = panel.data.cells()[column][layer];
            String text = scale == Scale.LOG ? "ratio " + Numbers.significant(Math.pow(2, cell)) : "difference " + Numbers.significant(cell);
            rows.add(new HoverCard.Row("none", text, true, Double.NaN, Double.NaN));
            rows.add(row(pair.get(0), scale.text(matrix.values()[column][layer]), false));
            int other = subtrahend.column(first);
            float[] values = other < 0 ? new float[0] : subtrahend.matrix().values()[other];
            if (layer < values.length) {
                rows.add(row(pair.get(1), scale.text(values[layer]), false));
            }
        }
        return Optional.of(new HoverCard.Content(step, steps + " · " + LayerChart.layerName(layer), rows));
    }

    private static HoverCard.Row row(ArmSnapshot arm, String value, boolean nearest) {
        return new HoverCard.Row(Arms.style(arm), Arms.title(arm) + "  " + value, nearest, Double.NaN, Double.NaN);
    }

    @Override
    String summary(ArmSnapshot arm) {
        float[] now = LayerChart.values(arm, measure());
        return now.length == 0
                ? Arms.withoutValues(arm)
                : "at step " + arm.shownStep() + " " + measure().title() + " " + LayerChart.extremes(now);
    }
}
