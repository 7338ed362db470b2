package keelscope.library;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalDouble;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.experiment.InvalidExperimentException;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import keelscope.runfile.StepSeries;

/**
 * What the library shows of one run file.
 *
 * @param file the run file
 * @param info what the arm is
 * @param status what its engine wrote last
 * @param live whether an engine is writing it
 * @param lastStep the last step, −1 before the first
 * @param loss mean training loss of the last 5 % of steps, nats; NaN before the first
 * @param peakRate the recipe's peak learning rate; where the recipe is not known, the greatest that was used; else NaN
 */
public record RunHead(Path file, RunInfo info, RunStatus status, boolean live, int lastStep, double loss, double peakRate) {
    private static final double END_SHARE = 0.05;
    private static final int BUCKETS = 200;

    /** Reads a run file's head. @throws RunFileException if it cannot be read */
    static RunHead read(Path file) {
        try (RunReader run = RunReader.open(file)) {
            int last = run.lastStep();
            boolean ended = run.state().status().ended();
            return new RunHead(file, run.info(), run.state().status(), !ended && run.hasEngine(), last, lossAtEnd(run, last), peakRate(run, last));
        }
    }

    private static double lossAtEnd(RunReader run, int last) {
        if (last < 0) {
            return Double.NaN;
        }
        int from = (int) Math.floor((last + 1) * (1 - END_SHARE));
        return mean(run.steps(Math.min(from, last), last, BUCKETS));
    }

    /** Mean over steps, of those whose loss is finite. */
    private static double mean(StepSeries steps) {
        double sum = 0;
        double weight = 0;
        for (int i = 0; i < steps.size(); i++) {
            if (Double.isFinite(steps.loss()[i])) {
                double width = steps.lastStep()[i] - steps.firstStep()[i] + 1.0;
                sum += width * steps.loss()[i];
                weight += width;
            }
        }
        return weight == 0 ? Double.NaN : sum / weight;
    }

    private static double peakRate(RunReader run, int last) {
        RunInfo info = run.info();
        if (!info.experimentYaml().isEmpty()) {
            try {
                Path folder = Path.of("").toAbsolutePath();
                Experiment experiment = ExperimentFile.parse(info.experimentYaml(), info.experimentName(), folder);
                OptionalDouble rate = experiment.arm(info.arm()).stream().mapToDouble(experiment::peakLr).findFirst();
                if (rate.isPresent()) {
                    return rate.getAsDouble();
                }
            } catch (InvalidExperimentException e) {
                // Written by another version: what was used is in the steps.
                return greatestRate(run, last);
            }
        }
        return greatestRate(run, last);
    }

    private static double greatestRate(RunReader run, int last) {
        return last < 0
                ? Double.NaN
                : Arrays.stream(run.steps(0, last, BUCKETS).lr()).filter(Double::isFinite).max().orElse(Double.NaN);
    }

    /** Whether its engine ended without a word. */
    public boolean gone() {
        return !status.ended() && !live;
    }
}
