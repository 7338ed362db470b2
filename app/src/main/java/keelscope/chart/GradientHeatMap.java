package keelscope.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.layout.Pane;
import keelscope.run.ArmSnapshot;
import keelscope.run.StepRange;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.Measure;

/** Gradient norm of every sub-layer over all steps, one panel an arm, one scale of colours for all. */
public final class GradientHeatMap extends ChartTile {
    private static final String NAME = "gradient norm ‖∂loss/∂θ‖₂";

    private final List<Panel> panels = new ArrayList<>();
    private final ColourBar bar = new ColourBar(NAME);
    private final SteadyLimits limits = new SteadyLimits();
    private final PanelRow row = new PanelRow();
    private List<ArmSnapshot> arms = List.of();
    private boolean following;

    public GradientHeatMap() {
        super(
                "Gradient, layer × step",
                "The gradient norm of every sub-layer at every step, input at the bottom, the same colours in every panel."
                        + " A dark band that spreads shows layers that stop receiving gradient, a bright one where it explodes.",
                Definition.of(Measure.PARAM_GRAD_NORM));
        setCenter(row);
        key(keyText());
    }

    private static final class Panel {
        final Label title = new Label();
        final HeatMapData data = new HeatMapData("gradient");
        final HeatMapRenderer renderer = new HeatMapRenderer();
        final Plot plot = new Plot(new PaperAxis("step", true), new PaperAxis("sub-layer l", true), renderer);

        Panel() {
            title.setAlignment(Pos.CENTER);
            title.setManaged(false);
            plot.setManaged(false);
            plot.getStyleClass().add("heat");
        }
    }

    /** Panels in a row or two, all plots the same size; only the left ones have an axis of layers. */
    private final class PanelRow extends Pane {

        @Override
        protected void layoutChildren() {
            int n = panels.size();
            bar.setVisible(n > 0);
            if (n == 0) {
                return;
            }
            int columns = n <= 4 ? n : (n + 1) / 2;
            int rows = (n + columns - 1) / columns;
            double w = getWidth();
            double h = getHeight() / rows;
            double between = 0.75 * panels.get(0).title.prefHeight(-1);
            double barWidth = bar.prefWidth(-1);
            double titleHeight = panels.get(0).title.prefHeight(-1);
            double axis = panels.get(0).plot.yAxis().prefWidth(h);
            double bare = columns > 1 ? panels.get(1).plot.yAxis().prefWidth(h) : 0;
            double room = w - barWidth - between - axis - (columns - 1) * (bare + between);
            double plotWidth = Math.max(20, Math.floor(room / columns));
            double x = 0;
            double bottom = 0;
            for (int i = 0; i < n; i++) {
                Panel panel = panels.get(i);
                int column = i % columns;
                double before = column == 0 ? axis : bare;
                x = column == 0 ? 0 : x;
                double y = i / columns * h;
                // A name longer than its panel is wide stands over the gaps beside it.
                double titleWidth = Math.max(plotWidth, panel.title.prefWidth(-1));
                panel.title.resizeRelocate(x + before + (plotWidth - titleWidth) / 2, y, titleWidth, titleHeight);
                panel.plot.resizeRelocate(x, y + titleHeight, before + plotWidth, h - titleHeight);
                bottom = panel.plot.xAxis().prefHeight(plotWidth);
                x += before + plotWidth + between;
            }
            bar.resizeRelocate(w - barWidth, titleHeight, barWidth, Math.max(10, getHeight() - titleHeight - bottom));
        }
    }

    @Override
    boolean hasStepAxis() {
        return true;
    }

    @Override
    public Set<Measure> matrices() {
        return Set.of(Measure.PARAM_GRAD_NORM);
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

    @Override
    void draw(List<ArmSnapshot> newArms) {
        if (!LossChart.sameFiles(arms, newArms)) {
            limits.forget();
        }
        arms = newArms;
        if (panels.size() != arms.size()) {
            rebuild(arms.size());
        }
        List<float[][]> cells = new ArrayList<>();
        for (int i = 0; i < arms.size(); i++) {
            Panel panel = panels.get(i);
            panel.data.set(arms.get(i).gradients());
            cells.add(panel.data.log2());
            panel.title.setText(Arms.title(arms.get(i)));
            panel.title.getStyleClass().setAll("label", "panel-title", Arms.style(arms.get(i)));
        }
        double[] range = RobustRange.percentiles(cells);
        if (range.length > 0) {
            limits.update(true, range[0], range[1], Arms.ended(arms));
            bar.scale(limits.low(), limits.high());
        }
        Plot.View view = new Plot.View(0, Math.max(1, Arms.stepLimit(arms)), -0.5, Arms.layers(arms) - 0.5);
        for (Panel panel : panels) {
            if (range.length > 0) {
                panel.renderer.scale(limits.low(), limits.high());
            }
            panel.plot.home(false, false, view);
            boolean there = panel.data.getDataCount() > 0;
            if (there != panel.renderer.getDatasets().contains(panel.data)) {
                panel.renderer.getDatasets().setAll(there ? List.of(panel.data) : List.of());
            }
        }
        key(keyText());
    }

    private void rebuild(int n) {
        panels.clear();
        row.getChildren().clear();
        for (int i = 0; i < n; i++) {
            Panel panel = new Panel();
            int columns = n <= 4 ? n : (n + 1) / 2;
            if (i % columns != 0) {
                panel.plot.yAxis().setName("");
                panel.plot.getStyleClass().add("inner");
            }
            panel.plot.onHover((step, layer) -> hover(panel, step, layer));
            panel.plot.onViewChanged(() -> follow(panel.plot));
            panel.plot.onPick(this::askForCursor);
            panel.plot.cursor(cursor());
            panels.add(panel);
            row.getChildren().addAll(panel.title, panel.plot);
        }
        row.getChildren().add(bar);
        bar.setManaged(false);
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

    private String keyText() {
        return arms.isEmpty() ? "no data yet" : "colours: p01–p99 of all arms · grey: not finite or 0";
    }

    private Optional<HoverCard.Content> hover(Panel panel, double step, double at) {
        int index = panels.indexOf(panel);
        int layer = (int) Math.round(at);
        int column = panel.data.column(step);
        if (index < 0 || index >= arms.size() || column < 0 || step >= panel.data.end()) {
            return Optional.empty();
        }
        ArmSnapshot arm = arms.get(index);
        LayerMatrix matrix = panel.data.matrix();
        if (layer < 0 || layer >= matrix.values()[column].length) {
            return Optional.empty();
        }
        int first = matrix.firstStep()[column];
        int last = matrix.lastStep()[column];
        String steps = first == last
                ? "step " + Numbers.grouped(first)
                : "steps " + Numbers.grouped(first) + "–" + Numbers.grouped(last) + " (geometric mean)";
        String text = Arms.title(arm) + "  " + Numbers.significant(matrix.values()[column][layer]);
        return Optional.of(new HoverCard.Content(
                step, steps + " · " + LayerChart.layerName(layer), List.of(new HoverCard.Row(Arms.style(arm), text, true, Double.NaN, Double.NaN))));
    }

    @Override
    String summary(ArmSnapshot arm) {
        float[] now = LayerChart.values(arm, Measure.PARAM_GRAD_NORM);
        return now.length == 0 ? "no step yet" : "at step " + arm.lastStep() + " gradient norm " + LayerChart.extremes(now);
    }
}
