package keelscope.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.Measure;

/** A measure of the pinned sub-layers over steps, a line an arm and sub-layer. */
final class PinnedChart extends StepChart {
    // The style sheet's, a line a followed sub-layer.
    private static final List<String> DASHES = List.of("solid", "dashed", "dotted", "dash-dotted");
    // More lines than that nobody can follow.
    private static final int MOST = 8;

    private final MeasureChoice measure;

    PinnedChart(Measure first) {
        super(
                "Sub-layers over steps",
                "A measure of chosen sub-layers over all steps: click at a sub-layer on a chart by layer to follow it here, again to let it go."
                        + " Until one is chosen it follows the first, the middle and the last.",
                first.title());
        measure = new MeasureChoice(first, now -> {
            plot().yAxis().setName(now.title());
            forgetLimits();
            setLog(Scale.of(now).log() && !Scale.of(now).inverted());
            viewChanged();
            redraw();
        });
        addSwitches(measure);
        remember("measure", Measure.class, measure::getValue, measure::setValue);
        offerLog(Scale.of(first).log() && !Scale.of(first).inverted());
        redraw();
    }

    Measure measure() {
        return measure.getValue();
    }

    void measure(Measure wanted) {
        measure.setValue(wanted);
    }

    @Override
    public List<Definition> definitions() {
        return measure == null ? List.of() : List.of(Definition.of(measure()));
    }

    @Override
    public Set<Measure> matrices() {
        return Set.of(measure());
    }

    private SortedSet<Integer> followed() {
        if (!pinned().isEmpty()) {
            return pinned();
        }
        int last = Arms.layers(arms()) - 1;
        return new TreeSet<>(List.of(0, last / 2, Math.max(0, last)));
    }

    @Override
    List<Said> drawCurves() {
        List<Said> said = new ArrayList<>();
        if (measure == null) {
            return said;
        }
        List<Integer> layers = layers();
        // The names of all arms' first lines come first, since there may be room for no more.
        for (int place = 0; place < layers.size(); place++) {
            for (ArmSnapshot arm : arms()) {
                drawLine(arm, layers.get(place), place).ifPresent(said::add);
            }
        }
        return said;
    }

    private List<Integer> layers() {
        return followed().stream().limit(MOST).toList();
    }

    private Optional<Said> drawLine(ArmSnapshot arm, int layer, int place) {
        LayerMatrix matrix = arm.matrix(measure());
        double[] x = new double[matrix.size()];
        double[] y = new double[x.length];
        for (int c = 0; c < x.length; c++) {
            x[c] = 0.5 * ((double) matrix.firstStep()[c] + matrix.lastStep()[c]);
            y[c] = layer < matrix.values()[c].length ? matrix.values()[c][layer] : Double.NaN;
        }
        if (Arrays.stream(y).allMatch(Double::isNaN)) {
            return Optional.empty();
        }
        String key = lineKey(arm, layer);
        curve(key, Arms.level(1, arm) - place, 0, "line", "pin-" + place % DASHES.size(), Arms.style(arm)).set(x, y);
        widen(x, y, y);
        String name = Arms.title(arm) + " " + layer;
        plot().name(key, name, Arms.style(arm));
        return Optional.of(new Said(
                arm, key, i -> stepsText(matrix.firstStep()[i], matrix.lastStep()[i]),
                i -> name + "  " + Scale.of(measure()).text(y[i])));
    }

    static String lineKey(ArmSnapshot arm, int layer) {
        return key(arm, "sub-layer " + layer);
    }

    @Override
    String keyText() {
        if (arms().isEmpty() || measure == null) {
            return "no data yet";
        }
        if (arms().stream().allMatch(arm -> arm.matrix(measure()).size() == 0)) {
            return Arms.withoutValues(arms());
        }
        List<Integer> layers = layers();
        List<String> lines = new ArrayList<>();
        for (int dash = 0; dash < Math.min(DASHES.size(), layers.size()); dash++) {
            int first = dash;
            lines.add(DASHES.get(dash) + IntStream.range(0, layers.size())
                    .filter(place -> place % DASHES.size() == first)
                    .mapToObj(place -> (place == 0 ? "sub-layer " : "") + layers.get(place))
                    .collect(Collectors.joining(", ", ": ", "")));
        }
        return String.join(" · ", lines)
                + (followed().size() > MOST ? " · " + (followed().size() - MOST) + " more are not drawn" : "");
    }

    @Override
    String summary(ArmSnapshot arm) {
        LayerMatrix matrix = arm.matrix(measure());
        if (matrix.size() == 0) {
            return Arms.withoutValues(arm);
        }
        float[] newest = matrix.values()[matrix.size() - 1];
        return measure().title() + " "
                + followed().stream()
                        .filter(layer -> layer < newest.length)
                        .map(layer -> Scale.of(measure()).text(newest[layer]) + " at sub-layer " + layer)
                        .collect(Collectors.joining(", "));
    }
}
