package keelscope.chart;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.LayerValues;
import keelscope.runfile.Measure;

/**
 * How the values of Highway's gate are spread: one ridge a sub-layer (or a few neighbouring ones) at one step, or one ridge
 * a step for the first pinned sub-layer.
 */
final class RidgeChart extends ChartTile {
    private static final int BINS = 32;
    private static final int MOST_RIDGES = 32;
    // How many ridges high the highest is, so that neighbours overlap a little.
    private static final double HEIGHT = 2.4;

    private final Plot plot = new Plot(new PaperAxis("gate T", false), new PaperAxis("sub-layer l", true), new CurveRenderer());
    private final ToggleGroup modes = new ToggleGroup();
    private final ToggleButton overLayers = mode("Layers", "One ridge a sub-layer");
    private final ToggleButton overSteps = mode("Steps", "One ridge a step, of the first pinned sub-layer");
    private List<ArmSnapshot> arms = List.of();

    /** One ridge: where it stands on the axis, which layers or steps it is of, and the share of each bin. */
    private record Ridge(double at, int first, int last, float[] shares) {}

    RidgeChart() {
        super(
                "Gate histogram",
                "How the values of Highway's trained gate are spread in each sub-layer, from shut (0) to open (1); the height is the share of values."
                        + " Ridges at either end are gates that hardly learn any more, a wide one is a gate that chooses.",
                Definition.of(Measure.GATE_HISTOGRAM));
        overLayers.setSelected(true);
        addSwitches(overLayers, overSteps);
        modes.selectedToggleProperty().addListener((o, before, now) -> {
            if (now == null) {
                modes.selectToggle(before);
            } else {
                draw(arms);
            }
        });
        plot.onHover(this::hover);
        plot.onViewChanged(() -> showsReset(plot.zoomed()));
        setCenter(plot);
        draw(List.of());
    }

    private ToggleButton mode(String word, String text) {
        ToggleButton button = new ToggleButton(word);
        button.setToggleGroup(modes);
        button.getStyleClass().add("tile-switch");
        button.setAccessibleText(text);
        return button;
    }

    /** Shows a ridge a step, of the first pinned sub-layer, in place of one a sub-layer. */
    void overSteps(boolean on) {
        modes.selectToggle(on ? overSteps : overLayers);
    }

    private boolean isOverSteps() {
        return overSteps.isSelected();
    }

    Plot plot() {
        return plot;
    }

    @Override
    boolean hasStepAxis() {
        return false;
    }

    @Override
    List<Plot> plots() {
        return List.of(plot);
    }

    @Override
    public void resetZoom() {
        plot.resetZoom();
    }

    @Override
    void draw(List<ArmSnapshot> newArms) {
        arms = newArms;
        Set<String> used = new HashSet<>();
        double most = 0;
        double spacing = 1;
        double end = 1;
        for (ArmSnapshot arm : arms) {
            List<Ridge> ridges = ridges(arm);
            for (Ridge ridge : ridges) {
                for (float share : ridge.shares()) {
                    most = Math.max(most, Float.isFinite(share) ? share : 0);
                }
            }
            if (ridges.size() > 1) {
                spacing = Math.max(spacing, ridges.get(1).at() - ridges.get(0).at());
            }
            end = ridges.isEmpty() ? end : Math.max(end, ridges.get(ridges.size() - 1).last());
        }
        for (ArmSnapshot arm : arms) {
            List<Ridge> ridges = ridges(arm);
            for (int i = 0; i < ridges.size(); i++) {
                draw(arm, ridges.get(i), i, ridges.size(), HEIGHT * spacing / Math.max(most, 1e-9), used);
            }
        }
        plot.retain(used);
        plot.yAxis().setName(isOverSteps() ? "step" : "sub-layer l");
        if (!used.isEmpty()) {
            plot.held(range() == AxisRange.FIXED);
            plot.home(false, false, new Plot.View(0, 1, -0.3 * spacing, end + (HEIGHT + 0.2) * spacing));
        }
        plot.commit();
        key(keyText());
    }

    private List<Ridge> ridges(ArmSnapshot arm) {
        return isOverSteps() ? ridgesOfSteps(arm) : ridgesOfLayers(arm);
    }

    private static List<Ridge> ridgesOfLayers(ArmSnapshot arm) {
        LayerValues values = arm.layers().get(Measure.GATE_HISTOGRAM);
        List<Ridge> ridges = new ArrayList<>();
        int layers = values == null ? 0 : values.values().length / BINS;
        int group = (layers + MOST_RIDGES - 1) / MOST_RIDGES;
        for (int first = 0; first < layers; first += group) {
            int last = Math.min(layers, first + group) - 1;
            float[] mean = new float[BINS];
            for (int l = first; l <= last; l++) {
                for (int b = 0; b < BINS; b++) {
                    mean[b] += values.values()[l * BINS + b] / (last - first + 1);
                }
            }
            ridges.add(new Ridge(0.5 * (first + last), first, last, mean));
        }
        return ridges;
    }

    private List<Ridge> ridgesOfSteps(ArmSnapshot arm) {
        LayerMatrix histograms = pinned().isEmpty() ? null : arm.histograms().get(pinned().first());
        List<Ridge> ridges = new ArrayList<>();
        int n = histograms == null ? 0 : histograms.size();
        int stride = (n + MOST_RIDGES - 1) / MOST_RIDGES;
        for (int c = 0; c < n; c += stride) {
            if (histograms.values()[c].length == BINS) {
                ridges.add(new Ridge(histograms.firstStep()[c], histograms.firstStep()[c], histograms.lastStep()[c], histograms.values()[c]));
            }
        }
        return ridges;
    }

    private void draw(ArmSnapshot arm, Ridge ridge, int place, int of, double scale, Set<String> used) {
        double[] x = new double[BINS + 2];
        double[] low = new double[BINS + 2];
        double[] high = new double[BINS + 2];
        for (int i = 0; i < x.length; i++) {
            int bin = Math.max(0, Math.min(BINS - 1, i - 1));
            x[i] = i == 0 ? 0 : i == BINS + 1 ? 1 : (bin + 0.5) / BINS;
            low[i] = ridge.at();
            high[i] = ridge.at() + scale * ridge.shares()[bin];
        }
        // The lower a ridge stands, the nearer it is: it covers those behind it.
        int level = 2 * (of - place);
        String area = areaKey(arm, place);
        String line = lineKey(arm, place);
        used.add(area);
        used.add(line);
        plot.curve(area, level, 0, "band", "ridge", Arms.style(arm)).setBand(x, low, high);
        plot.curve(line, level + 1, 0, "ridge-line", Arms.style(arm)).set(x, high);
    }

    static String lineKey(ArmSnapshot arm, int place) {
        return "ridge " + place + " " + arm.colour() + " " + arm.info().arm();
    }

    private static String areaKey(ArmSnapshot arm, int place) {
        return "area " + place + " " + arm.colour() + " " + arm.info().arm();
    }

    private String keyText() {
        if (arms.isEmpty()) {
            return "no data yet";
        }
        if (arms.stream().noneMatch(arm -> arm.layers().containsKey(Measure.GATE_HISTOGRAM))) {
            return "only Highway has a trained gate, measured at every probe";
        }
        if (isOverSteps()) {
            return pinned().isEmpty()
                    ? "click at a sub-layer on a chart by layer to see its gate over the steps"
                    : "sub-layer " + pinned().first() + " · a ridge a step · height: share of gate values";
        }
        LayerValues values = arms.stream()
                .map(arm -> arm.layers().get(Measure.GATE_HISTOGRAM))
                .filter(v -> v != null)
                .findFirst()
                .orElseThrow();
        int group = (values.values().length / BINS + MOST_RIDGES - 1) / MOST_RIDGES;
        return "step " + Numbers.grouped(values.step()) + " · a ridge "
                + (group == 1 ? "a sub-layer" : "for " + group + " sub-layers") + " · height: share of gate values";
    }

    private Optional<HoverCard.Content> hover(double x, double y) {
        if (!(x >= 0 && x <= 1)) {
            return Optional.empty();
        }
        int bin = Math.min(BINS - 1, (int) (x * BINS));
        List<HoverCard.Row> rows = new ArrayList<>();
        String heading = "";
        for (ArmSnapshot arm : arms) {
            Ridge nearest = null;
            for (Ridge ridge : ridges(arm)) {
                nearest = nearest == null || Math.abs(ridge.at() - y) < Math.abs(nearest.at() - y) ? ridge : nearest;
            }
            if (nearest != null) {
                heading = isOverSteps()
                        ? StepChart.stepsText(nearest.first(), nearest.last())
                        : nearest.first() == nearest.last()
                                ? LayerChart.layerName(nearest.first())
                                : "sub-layers " + nearest.first() + "–" + nearest.last();
                rows.add(new HoverCard.Row(
                        Arms.style(arm),
                        Arms.title(arm) + "  " + Numbers.significant(100 * nearest.shares()[bin]) + " % of gate values in "
                                + Numbers.decimals((double) bin / BINS, 3) + "–" + Numbers.decimals((bin + 1.0) / BINS, 3),
                        false, Double.NaN, Double.NaN));
            }
        }
        return rows.isEmpty() ? Optional.empty() : Optional.of(new HoverCard.Content(x, heading, rows));
    }

    @Override
    String summary(ArmSnapshot arm) {
        LayerValues values = arm.layers().get(Measure.GATE_HISTOGRAM);
        if (values == null) {
            return "no trained gate";
        }
        double low = 0;
        double high = 0;
        int layers = values.values().length / BINS;
        for (int l = 0; l < layers; l++) {
            low += values.values()[l * BINS] / layers;
            high += values.values()[l * BINS + BINS - 1] / layers;
        }
        return "at step " + values.step() + " " + Numbers.significant(100 * low) + " % of all gate values lie in the lowest of 32 bins, "
                + Numbers.significant(100 * high) + " % in the highest";
    }
}
