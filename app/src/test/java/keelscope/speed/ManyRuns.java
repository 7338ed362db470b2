package keelscope.speed;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.process.RunFolder;
import keelscope.run.FormulaArm;
import keelscope.runfile.Measure;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.runfile.StepRecord;

/** A library of many small runs, each of two arms whose every value follows from a formula, unlike in name, depth and peak rate. */
final class ManyRuns {
    static final int ARMS = 2;

    private static final int STEPS = 60;
    private static final List<Integer> LAYERS = List.of(16, 64, 256, 1024);

    private ManyRuns() {}

    /** Writes {@code n} finished runs into {@code home}: {@code run 0 of 16 layers}, … */
    static void write(Path home, int n) {
        for (int run = 0; run < n; run++) {
            int layers = LAYERS.get(run % LAYERS.size());
            Experiment experiment = experiment(home, run, layers);
            Path folder = RunFolder.create(home, experiment);
            for (ArmSpec arm : experiment.arms()) {
                arm(folder, experiment, arm, layers);
            }
        }
    }

    private static Experiment experiment(Path home, int run, int layers) {
        return ExperimentFile.parse("""
                name: run %d of %d layers
                seed: %d
                model: {layers: %d, d_model: 64, heads: 4}
                data: {text: sample, batch: 8, sequence: 64}
                training: {steps: %d, peak_lr: %s, warmup: 6}
                arms:
                  - scheme: keel
                  - scheme: pre_ln
                """.formatted(run, layers, run, layers, STEPS, 1e-3 * (1 + run % 7)), "the benchmark", home);
    }

    private static void arm(Path folder, Experiment experiment, ArmSpec arm, int layers) {
        String scheme = arm.scheme().id();
        RunInfo info = new RunInfo(experiment.name(), ExperimentFile.write(experiment), arm.name(), scheme, layers, 64, 1_600_000, STEPS, 512,
                Double.NaN, experiment.seed(), "The sample text", "0", 256, "cpu", "No CUDA card was found, so the CPU is used.", 1,
                System.currentTimeMillis());
        try (RunWriter writer = RunWriter.create(RunFolder.runFile(folder, arm.name()), info)) {
            writer.state(RunStatus.RUNNING, "");
            for (int step = 0; step < STEPS; step++) {
                float[] gradients = new float[layers];
                for (int l = 0; l < layers; l++) {
                    gradients[l] = (float) FormulaArm.gradient(scheme, layers, step, l);
                }
                writer.step(new StepRecord(step, 512L * (step + 1), FormulaArm.loss(scheme, step), 1e-3, FormulaArm.norm(step), 20, step, 400_000_000L),
                        Map.of(Measure.PARAM_GRAD_NORM, gradients), OptionalDouble.empty());
            }
            writer.state(RunStatus.FINISHED, "");
        }
    }
}
