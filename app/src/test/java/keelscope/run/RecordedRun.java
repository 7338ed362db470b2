package keelscope.run;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.DataSpec;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.experiment.MeasureSpec;
import keelscope.experiment.ModelSpec;
import keelscope.experiment.TrainingSpec;
import keelscope.model.Scheme;
import keelscope.process.RunFolder;
import keelscope.runfile.Measure;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.runfile.StepRecord;

/** Real run files whose every value follows from the formulas of {@link FormulaArm}: a run without an engine. */
public final class RecordedRun {
    public static final int TOKENS_PER_STEP = 512;
    public static final double STEP_MS = 80;

    private RecordedRun() {}

    /** The experiment they are recorded of. */
    public static Experiment experiment(int layers, int steps) {
        return new Experiment(
                "Recorded from formulas",
                1,
                "cpu",
                1,
                new ModelSpec(layers, 64, 4),
                new DataSpec("sample", 0.05, 8, 64),
                new TrainingSpec(steps, 3e-3, steps / 10),
                new MeasureSpec(10, 50, 4),
                List.of(arm(Scheme.KEEL), arm(Scheme.PRE_LN), arm(Scheme.POST_LN)));
    }

    private static ArmSpec arm(Scheme scheme) {
        return new ArmSpec(scheme.id(), scheme, OptionalDouble.empty(), OptionalDouble.empty());
    }

    /**
     * Writes a folder of run files with {@code recorded} steps each.
     *
     * @param status how Keel's and Pre-LN's engines ended; Post-LN diverged, with {@code divergence} as its message
     */
    public static Path write(Path parent, int layers, int steps, int recorded, RunStatus status, String divergence) {
        Experiment experiment = experiment(layers, steps);
        Path folder = RunFolder.create(parent, experiment);
        for (ArmSpec arm : experiment.arms()) {
            String scheme = arm.scheme().id();
            RunInfo info = new RunInfo(
                    experiment.name(),
                    ExperimentFile.write(experiment),
                    arm.name(),
                    scheme,
                    layers,
                    64,
                    1_600_000,
                    steps,
                    TOKENS_PER_STEP,
                    arm.scheme() == Scheme.KEEL ? layers : Double.NaN,
                    1,
                    "The sample text",
                    "0",
                    256,
                    "cpu",
                    "No CUDA card was found, so the CPU is used.",
                    1,
                    0);
            try (RunWriter writer = RunWriter.create(RunFolder.runFile(folder, arm.name()), info)) {
                writer.state(RunStatus.RUNNING, "");
                Random random = new Random(scheme.hashCode());
                for (int step = 0; step < recorded; step++) {
                    step(writer, scheme, layers, step, random);
                }
                if (arm.scheme() == Scheme.POST_LN && !divergence.isEmpty()) {
                    writer.event(recorded - 1, "diverged", divergence);
                    writer.state(RunStatus.DIVERGED, divergence);
                } else {
                    writer.state(status, "");
                }
            }
        }
        return folder;
    }

    /** Leaves the file as an engine of long ago would that was killed together with the program that had started it. */
    public static void forgetEngine(Path file) {
        try (var connection = java.sql.DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE state SET heartbeat_ms = 1000");
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void step(RunWriter writer, String scheme, int layers, int step, Random random) {
        Map<Measure, float[]> values = new EnumMap<>(Measure.class);
        values.put(Measure.PARAM_GRAD_NORM, row(layers, l -> FormulaArm.gradient(scheme, layers, step, l)
                * Math.exp(0.15 * random.nextGaussian())));
        if (step % 10 == 0) {
            values.put(Measure.CARRY_GATE_MEAN, row(layers, l -> FormulaArm.carry(scheme, layers, l)));
            values.put(Measure.CARRY_GATE_P05, row(layers, l -> 1 - 1.5 * (1 - FormulaArm.carry(scheme, layers, l))));
            values.put(Measure.CARRY_GATE_P95, row(layers, l -> 1 - 0.6 * (1 - FormulaArm.carry(scheme, layers, l))));
            values.put(Measure.HIGHWAY_TRANSPORT, row(layers, l -> FormulaArm.transport(scheme, layers, l)));
        }
        double loss = FormulaArm.loss(scheme, step) + 0.08 * random.nextGaussian();
        OptionalDouble validation =
                step % 50 == 49 ? OptionalDouble.of(FormulaArm.loss(scheme, step) + 0.06) : OptionalDouble.empty();
        writer.step(
                new StepRecord(step, (step + 1L) * TOKENS_PER_STEP, loss, 3e-3, 1, STEP_MS, 1000L + step, 400_000_000),
                values,
                validation);
    }

    private static float[] row(int layers, IntToDoubleFunction value) {
        float[] row = new float[layers];
        for (int l = 0; l < layers; l++) {
            row[l] = (float) value.applyAsDouble(l);
        }
        return row;
    }
}
