package keelscope.chart;

import java.util.ArrayList;
import java.util.List;
import keelscope.run.ArmSnapshot;

/** A measure of the whole run over steps, a line an arm, as a {@link StepPlan} says. */
final class RunMeasureChart extends StepChart {
    private final StepPlan plan;

    RunMeasureChart(StepPlan plan) {
        super(plan.title(), plan.hint(), plan.axis(), Definition.of(plan.measure()));
        this.plan = plan;
        offerLog(plan.log());
        redraw();
    }

    @Override
    List<Said> drawCurves() {
        List<Said> said = new ArrayList<>();
        for (ArmSnapshot arm : arms()) {
            StepPlan.Values values = plan.values().apply(arm);
            double[] x = values.x();
            if (values.band()) {
                curve(key(arm, "band"), Arms.level(0, arm), 0, "band", Arms.style(arm)).setBand(x, values.low(), values.high());
                widen(x, values.low(), values.high());
            }
            widen(x, values.y(), values.y());
            curve(key(arm, "line"), Arms.level(1, arm), plan.points() ? Curve.EVERY_POINT : Arms.phase(arm), "line",
                            Arms.style(arm), Arms.round(arm))
                    .set(x, values.y());
            plot().name(key(arm, "line"), Arms.title(arm), Arms.style(arm));
            said.add(new Said(
                    arm, key(arm, "line"), i -> stepsText(values.first()[i], values.last()[i]),
                    i -> Arms.title(arm) + "  " + said(values.y()[i])));
        }
        return said;
    }

    private String said(double value) {
        return Numbers.significant(value) + (plan.unit().isEmpty() ? "" : " " + plan.unit());
    }

    @Override
    String keyText() {
        List<StepPlan.Values> all = arms().stream().map(plan.values()).toList();
        if (all.stream().allMatch(values -> values.y().length == 0)) {
            return plan.points() && !arms().isEmpty()
                    ? "not recorded: its data have no right answers, or no validation was taken" + (Arms.ended(arms()) ? "" : " yet")
                    : Arms.withoutValues(arms());
        }
        return all.stream().anyMatch(StepPlan.Values::band) ? "line: mean · band: least to most" : plan.points() ? "markers: validations" : "line: each step";
    }

    @Override
    String summary(ArmSnapshot arm) {
        StepPlan.Values values = plan.values().apply(arm);
        int n = values.y().length;
        return n == 0 ? Arms.withoutValues(arm) : plan.measure().title() + " " + said(values.y()[n - 1]) + " at step " + values.last()[n - 1];
    }
}
