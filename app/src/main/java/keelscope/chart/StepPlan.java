package keelscope.chart;

import java.util.function.Function;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.RunMeasure;
import keelscope.runfile.StepSeries;
import keelscope.runfile.ValidationRecord;

/**
 * What a {@link RunMeasureChart} draws.
 *
 * @param title the chart's name
 * @param hint how to read it, in two sentences
 * @param axis name of the axis of values, with its unit
 * @param unit the unit of the values shown, as it is said behind them
 * @param log whether the axis is logarithmic at first
 * @param points whether every value has a marker
 * @param values the values of an arm
 */
record StepPlan(
        String title,
        String hint,
        String axis,
        String unit,
        RunMeasure measure,
        boolean log,
        boolean points,
        Function<ArmSnapshot, Values> values) {

    /**
     * Values over steps; low and high are the edges of a band, equal to y where there is none.
     *
     * @param first first step of each value
     * @param last last step of each value
     */
    record Values(int[] first, int[] last, double[] y, double[] low, double[] high) {
        static Values of(StepSeries s, double[] y) {
            return new Values(s.firstStep(), s.lastStep(), y, y, y);
        }

        boolean band() {
            return low != high;
        }

        double[] x() {
            double[] x = new double[first.length];
            for (int i = 0; i < x.length; i++) {
                x[i] = 0.5 * ((double) first[i] + last[i]);
            }
            return x;
        }
    }

    static final StepPlan GRADIENT_NORM = new StepPlan(
            "Total gradient norm",
            "How strongly the loss pulls on all parameters together, before clipping to a norm of one."
                    + " Spikes warn of an unstable run, a norm that dies away of one that has stopped learning.",
            "gradient norm",
            "",
            RunMeasure.GRAD_NORM,
            true,
            false,
            arm -> {
                StepSeries s = arm.steps();
                return LossChart.spreads(s.gradNormMin(), s.gradNormMax())
                        ? new Values(s.firstStep(), s.lastStep(), s.gradNorm(), s.gradNormMin(), s.gradNormMax())
                        : Values.of(s, s.gradNorm());
            });

    static final StepPlan LEARNING_RATE = new StepPlan(
            "Learning rate",
            "The learning rate of each update: it warms up to its peak and then falls along a cosine."
                    + " A change by hand shows as a jump, with its command as a mark.",
            "learning rate",
            "",
            RunMeasure.LR,
            false,
            false,
            arm -> Values.of(arm.steps(), arm.steps().lr()));

    static final StepPlan TOKENS_PER_SECOND = new StepPlan(
            "Tokens per second",
            "How many tokens are trained on in a second, measuring included."
                    + " Dips come from validation, checkpoints and whatever else keeps the machine busy.",
            "tokens/s",
            "tokens/s",
            RunMeasure.TOKENS_PER_S,
            false,
            false,
            arm -> {
                StepSeries s = arm.steps();
                double[] y = new double[s.size()];
                for (int i = 0; i < y.length; i++) {
                    y[i] = arm.info().tokensPerStep() * 1000.0 / s.stepMs()[i];
                }
                return Values.of(s, y);
            });

    static final StepPlan MEMORY = new StepPlan(
            "Memory",
            "The memory that each engine holds."
                    + " It should level off after the first steps; a line that climbs on will meet the machine's limit.",
            "memory (GB)",
            "GB",
            RunMeasure.MEMORY,
            false,
            false,
            arm -> {
                StepSeries s = arm.steps();
                double[] y = new double[s.size()];
                for (int i = 0; i < y.length; i++) {
                    y[i] = s.memoryBytes()[i] / 1e9;
                }
                return Values.of(s, y);
            });

    static final StepPlan ACCURACY = new StepPlan(
            "Accuracy",
            "The share of held-out targets that the model gets right, where its task has right answers."
                    + " A task that is being learnt often stays at chance for long and then rises within a few steps.",
            "accuracy",
            "",
            RunMeasure.ACCURACY,
            false,
            true,
            arm -> {
                var scored = arm.validation().stream().filter(v -> Double.isFinite(v.accuracy())).toList();
                int[] step = scored.stream().mapToInt(ValidationRecord::step).toArray();
                double[] y = scored.stream().mapToDouble(ValidationRecord::accuracy).toArray();
                return new Values(step, step, y, y, y);
            });
}
