package keelscope.chart;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.Spinner;
import javafx.scene.control.SpinnerValueFactory.IntegerSpinnerValueFactory;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.LayerValues;
import keelscope.runfile.Measure;
import keelscope.text.Quantities;

/**
 * How the values of Highway's gate are spread in one arm, since the ridges of several would cover one another: one ridge a
 * sub-layer (or a few neighbouring ones) at one step, or one ridge a step for one sub-layer.
 */
final class RidgeChart extends ChartTile {
    private static final int BINS = 32;
    private static final int MOST_RIDGES = 32;
    // More than any model here has.
    private static final int MOST_LAYERS = 1 << 16;
    // How many ridges high the highest is, so that neighbours overlap a little.
    private static final double HEIGHT = 2.4;

    private final Plot plot = new Plot(new PaperAxis("gate T", false), new PaperAxis("sub-layer l", true), new CurveRenderer());
    private final ToggleGroup modes = new ToggleGroup();
    private final ToggleButton overLayers = mode("Layers", "One ridge a sub-layer");
    private final ToggleButton overSteps = mode("Steps", "One ridge a step, of one sub-layer");
    private final ChoiceBox<String> arm = new ChoiceBox<>();
    private final IntegerSpinnerValueFactory layers = new IntegerSpinnerValueFactory(0, MOST_LAYERS, 0);
    private final Spinner<Integer> layer = new Spinner<>(layers);
    private List<ArmSnapshot> arms = List.of();
    private SortedSet<Integer> pinnedBefore = Collections.emptySortedSet();
    // The name of the arm the user wants, as far as it has a gate.
    private String wanted = "";
    private boolean offering;

    /** One ridge: where it stands on the axis, which layers or steps it is of, and the share of each bin. */
    private record Ridge(double at, int first, int last, float[] shares) {}

    RidgeChart() {
        super(
                "Gate histogram",
                "How the values of Highway's trained gate are spread in each sub-layer, from shut (0) to open (1); the height is the share of values."
                        + " Ridges at either end are gates that hardly learn any more, a wide one is a gate that chooses.",
                Definition.of(Measure.GATE_HISTOGRAM));
        overLayers.setSelected(true);
        offerArms();
        offerLayers();
        addSwitches(arm, layer, overLayers, overSteps);
        remember("steps", () -> Boolean.toString(isOverSteps()), word -> overSteps(Boolean.parseBoolean(word)));
        remember("arm", () -> wanted, this::want);
        remember("sub-layer", () -> layer.getValue().toString(),
                word -> Quantities.parse(word).ifPresent(l -> layers.setValue((int) l)));
        modes.selectedToggleProperty().addListener((o, before, now) -> {
            if (now == null) {
                modes.selectToggle(before);
            } else {
                plot.release();
                viewChanged();
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

    private void offerArms() {
        arm.setAccessibleText("Arm");
        arm.getStyleClass().add("tile-choice");
        arm.managedProperty().bind(arm.visibleProperty());
        arm.setVisible(false);
        arm.valueProperty().addListener((o, before, now) -> {
            if (!offering && now != null) {
                want(now);
            }
        });
    }

    private void offerLayers() {
        layer.setAccessibleText("Sub-layer");
        layer.setTooltip(new Tooltip("Sub-layer"));
        layer.getStyleClass().add("tile-spinner");
        layer.managedProperty().bind(layer.visibleProperty());
        layer.visibleProperty().bind(overSteps.selectedProperty());
        layer.valueProperty().addListener((o, before, now) -> {
            viewChanged();
            draw(arms);
        });
    }

    /** Shows the arm of this name, once it has a trained gate; the first that has one until then. */
    void want(String name) {
        wanted = name;
        draw(arms);
    }

    private static boolean hasGate(ArmSnapshot arm) {
        return arm.layers().containsKey(Measure.GATE_HISTOGRAM);
    }

    /** The arm that is shown, none where none has a trained gate. */
    private Optional<ArmSnapshot> shownArm() {
        List<ArmSnapshot> gated = arms.stream().filter(RidgeChart::hasGate).toList();
        return gated.stream().filter(each -> Arms.title(each).equals(wanted)).findFirst().or(() -> gated.stream().findFirst());
    }

    private void showChoices() {
        offering = true;
        List<String> names = arms.stream().filter(RidgeChart::hasGate).map(Arms::title).toList();
        if (!names.equals(arm.getItems())) {
            arm.getItems().setAll(names);
        }
        arm.setValue(shownArm().map(Arms::title).orElse(null));
        arm.setVisible(names.size() > 1);
        offering = false;
        if (!arms.isEmpty()) {
            layers.setMax(Arms.layers(arms) - 1);
        }
        // A sub-layer that was pinned since is the one to look at.
        pinned().stream().filter(l -> !pinnedBefore.contains(l)).findFirst().ifPresent(layers::setValue);
        pinnedBefore = pinned();
    }

    @Override
    public Set<Integer> histograms() {
        return isOverSteps() ? Set.of(layer.getValue()) : Set.of();
    }

    /** Shows a ridge a step, of one sub-layer, in place of one a sub-layer. */
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
        showChoices();
        Set<String> used = new HashSet<>();
        List<Ridge> ridges = ridges();
        double most = 1e-9;
        for (Ridge ridge : ridges) {
            for (float share : ridge.shares()) {
                most = Math.max(most, Float.isFinite(share) ? share : 0);
            }
        }
        double spacing = ridges.size() > 1 ? Math.max(1, ridges.get(1).at() - ridges.get(0).at()) : 1;
        double end = ridges.isEmpty() ? 1 : Math.max(1, ridges.get(ridges.size() - 1).last());
        for (int i = 0; i < ridges.size(); i++) {
            draw(shownArm().orElseThrow(), ridges.get(i), i, ridges.size(), HEIGHT * spacing / most, used);
        }
        plot.retain(used);
        plot.yAxis().setName(isOverSteps() ? "step" : "sub-layer l");
        if (!used.isEmpty()) {
            holds(new Plot.View(0, 1, ridges.get(0).at(), end));
            plot.home(false, false, new Plot.View(0, 1, -0.3 * spacing, end + (HEIGHT + 0.2) * spacing));
        }
        plot.commit();
        key(keyText());
    }

    private List<Ridge> ridges() {
        return shownArm().map(shown -> isOverSteps() ? ridgesOfSteps(shown) : ridgesOfLayers(shown)).orElse(List.of());
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
        LayerMatrix histograms = arm.histograms().get(layer.getValue());
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
        if (shownArm().isEmpty()) {
            return "only Highway has a trained gate, measured at every probe";
        }
        String name = Arms.title(shownArm().get()) + " · ";
        if (isOverSteps()) {
            return name + "sub-layer " + layer.getValue() + (ridges().isEmpty() ? " was not recorded" : " · a ridge a step · height: share of gate values");
        }
        LayerValues values = shownArm().get().layers().get(Measure.GATE_HISTOGRAM);
        int group = (values.values().length / BINS + MOST_RIDGES - 1) / MOST_RIDGES;
        return name + "step " + Numbers.grouped(values.step()) + " · a ridge "
                + (group == 1 ? "a sub-layer" : "for " + group + " sub-layers") + " · height: share of gate values";
    }

    private Optional<HoverCard.Content> hover(double x, double y) {
        if (!(x >= 0 && x <= 1)) {
            return Optional.empty();
        }
        int bin = Math.min(BINS - 1, (int) (x * BINS));
        return ridges().stream()
                .min(Comparator.comparingDouble(ridge -> Math.abs(ridge.at() - y)))
                .map(nearest -> new HoverCard.Content(x, heading(nearest), List.of(row(nearest, bin))));
    }

    private String heading(Ridge ridge) {
        if (isOverSteps()) {
            return StepChart.stepsText(ridge.first(), ridge.last());
        }
        return ridge.first() == ridge.last() ? LayerChart.layerName(ridge.first()) : "sub-layers " + ridge.first() + "–" + ridge.last();
    }

    private HoverCard.Row row(Ridge ridge, int bin) {
        ArmSnapshot shown = shownArm().orElseThrow();
        return new HoverCard.Row(
                Arms.style(shown),
                Arms.title(shown) + "  " + Numbers.significant(100 * ridge.shares()[bin]) + " % of gate values in "
                        + Numbers.decimals((double) bin / BINS, 3) + "–" + Numbers.decimals((bin + 1.0) / BINS, 3),
                false, Double.NaN, Double.NaN);
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
