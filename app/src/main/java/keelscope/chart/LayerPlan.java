package keelscope.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.LayerValues;
import keelscope.runfile.Measure;
import keelscope.runfile.RunInfo;

/**
 * What a {@link LayerChart} draws.
 *
 * @param title the chart's name
 * @param hint how to read it, in two sentences
 * @param axis name of the axis of values
 * @param measure the measure, a line an arm
 * @param scale the axis of values
 * @param apart whether attention and feed-forward sub-layers are lines of their own, with switches to show either alone:
 *     where they differ much one line through both would be a saw
 * @param bands what can be drawn behind the line; of several one is chosen by a switch
 * @param second a further line an arm, dashed
 * @param theory what theory says, a dashed line an arm
 * @param guides lines that belong to no arm
 */
record LayerPlan(
        String title,
        String hint,
        String axis,
        Measure measure,
        Scale scale,
        boolean apart,
        List<Band> bands,
        Optional<Line> second,
        Optional<Theory> theory,
        List<Guide> guides) {

    /** Values of an arm by sub-layer, none where it has none. */
    interface Values {
        float[] of(ArmSnapshot arm);

        static Values of(Measure measure) {
            return arm -> {
                LayerValues values = arm.layers().get(measure);
                return values == null ? new float[0] : values.values();
            };
        }
    }

    /**
     * @param switchText the word on its switch
     * @param text what its edges are
     */
    record Band(String switchText, String text, Values low, Values high) {
        /** What its edges are, in one word where there is one. */
        String said() {
            return text.contains(" ") ? switchText.toLowerCase(Locale.ROOT) : text;
        }
    }

    record Line(String text, Values values, Measure... measures) {}

    /** The value at sub-layer l of an arm, NaN for none. */
    interface Theory {
        double at(RunInfo info, int l);
    }

    record Guide(String text, IntToDoubleFunction at) {}

    /** A line an arm. */
    static LayerPlan of(String title, String axis, Measure measure, Scale scale, String hint) {
        return new LayerPlan(title, hint, axis, measure, scale, false, List.of(), Optional.empty(), Optional.empty(), List.of());
    }

    /** The same with attention and feed-forward told apart. */
    LayerPlan tellingApart() {
        return new LayerPlan(title, hint, axis, measure, scale, true, bands, second, theory, guides);
    }

    /** The same with a band; the first that is given is shown first. */
    LayerPlan withBand(String switchText, String text, Values low, Values high) {
        List<Band> all = new ArrayList<>(bands);
        all.add(new Band(switchText, text, low, high));
        return new LayerPlan(title, hint, axis, measure, scale, apart, List.copyOf(all), second, theory, guides);
    }

    LayerPlan withSecond(String text, Values values, Measure... measures) {
        return new LayerPlan(title, hint, axis, measure, scale, apart, bands, Optional.of(new Line(text, values, measures)), theory, guides);
    }

    LayerPlan withTheory(Theory at) {
        return new LayerPlan(title, hint, axis, measure, scale, apart, bands, second, Optional.of(at), guides);
    }

    LayerPlan withGuide(String text, IntToDoubleFunction at) {
        List<Guide> all = new ArrayList<>(guides);
        all.add(new Guide(text, at));
        return new LayerPlan(title, hint, axis, measure, scale, apart, bands, second, theory, List.copyOf(all));
    }
}
