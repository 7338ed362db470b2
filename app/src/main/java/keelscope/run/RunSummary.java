package keelscope.run;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import keelscope.runfile.LayerValues;
import keelscope.runfile.Measure;
import keelscope.runfile.RunInfo;
import keelscope.runfile.StepSeries;
import keelscope.text.Quantities;
import keelscope.text.Texts;

/** What came of a run, as a page of plain text. */
public final class RunSummary {
    /** The training loss at the end is the mean over this share of the steps: a single batch says little. */
    private static final double END_SHARE = 0.05;

    private RunSummary() {}

    /** The summary of these arms. */
    public static String of(List<Arm> arms) {
        StringBuilder text = new StringBuilder();
        Optional<RunInfo> first =
                arms.stream().flatMap(arm -> arm.snapshot().stream()).map(ArmSnapshot::info).findFirst();
        first.ifPresent(info -> {
            line(text, "summary.experiment", info.experimentName());
            line(
                    text,
                    "summary.model",
                    info.layers(),
                    info.dModel(),
                    Quantities.count(info.parameters()),
                    Texts.steps(arms.stream().flatMap(arm -> arm.snapshot().stream()).mapToInt(arm -> arm.info().steps())),
                    info.tokensPerStep());
            line(text, "summary.data", info.data());
            line(text, "summary.device", info.device(), Texts.threads(info.threads()), info.deviceNote());
        });
        for (Arm arm : arms) {
            text.append('\n');
            arm(text, arm);
        }
        return text.toString();
    }

    private static void arm(StringBuilder text, Arm arm) {
        line(text, "summary.arm", arm.title(), arm.state());
        if (!arm.message().isEmpty()) {
            line(text, "summary.message", arm.message());
        }
        if (arm.snapshot().isEmpty() || arm.lastStep() < 0) {
            line(text, "summary.nothing");
            return;
        }
        ArmSnapshot snapshot = arm.snapshot().get();
        line(text, "summary.loss", digits(lossAtEnd(snapshot.steps(), arm.lastStep())));
        if (!snapshot.validation().isEmpty()) {
            var last = snapshot.validation().get(snapshot.validation().size() - 1);
            line(text, "summary.validation", digits(last.loss()), digits(Math.exp(last.loss())), last.step());
            if (Double.isFinite(last.accuracy())) {
                line(text, "summary.accuracy", digits(100 * last.accuracy()), last.step());
            }
        }
        range(text, snapshot, Measure.PARAM_GRAD_NORM, "summary.gradients");
        range(text, snapshot, Measure.ACTIVATION_GRAD_NORM, "summary.activation");
        range(text, snapshot, Measure.CARRY_GATE_MEAN, "summary.gate");
        LayerValues transport = snapshot.layers().get(Measure.HIGHWAY_TRANSPORT);
        if (transport != null && transport.values().length > 0) {
            line(text, "summary.transport", digits(transport.values()[0]), transport.step());
        }
    }

    private static double lossAtEnd(StepSeries steps, int lastStep) {
        int from = (int) Math.floor((lastStep + 1) * (1 - END_SHARE));
        double sum = 0;
        int count = 0;
        for (int i = steps.size() - 1; i >= 0 && (steps.firstStep()[i] >= from || count == 0); i--) {
            sum += steps.loss()[i];
            count++;
        }
        return count == 0 ? Double.NaN : sum / count;
    }

    private static void range(StringBuilder text, ArmSnapshot snapshot, Measure measure, String key) {
        LayerValues values = snapshot.layers().get(measure);
        if (values == null || values.values().length == 0) {
            return;
        }
        float least = Float.POSITIVE_INFINITY;
        float most = Float.NEGATIVE_INFINITY;
        for (float value : values.values()) {
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        float[] all = values.values();
        line(text, key, digits(least), digits(most), digits(all[0]), digits(all[all.length - 1]), values.step());
    }

    private static String digits(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }

    private static void line(StringBuilder text, String key, Object... values) {
        text.append(Texts.get(key, values)).append('\n');
    }
}
