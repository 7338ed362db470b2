package keelscope.train;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import keelscope.data.TokenBatch;
import keelscope.data.TokenSource;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.Experiment;
import keelscope.experiment.TrainingSpec;
import keelscope.model.Evaluation;
import keelscope.model.StepProgram;
import keelscope.model.StepResult;
import keelscope.model.StepSettings;
import keelscope.runfile.Command;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.runfile.StepRecord;

/**
 * Trains one arm: the recipe of the specification, section 5, step by step, each committed to the run file before the next
 * begins. Commands are rows of that file, obeyed between two steps.
 */
public final class Trainer {

    private static final long PAUSE_POLL_MS = 20;
    private static final long HEARTBEAT_NS = 500_000_000;

    private final Experiment experiment;
    private final TrainingSpec recipe;
    private final TokenSource data;
    private final StepProgram program;
    private final RunWriter run;
    private final Pace pace;
    private final LearningRate rate;
    private final Divergence divergence;
    private final AtomicReference<String> stopReason = new AtomicReference<>();

    private boolean paused;
    private boolean probeNow;
    private int stepsWhilePaused;
    private double rateFactor = 1;

    /**
     * @param pace threads (already set) and the probes' cadence
     */
    public Trainer(Experiment experiment, ArmSpec arm, TokenSource data, StepProgram program, RunWriter run, Pace pace) {
        this.experiment = experiment;
        this.recipe = experiment.training();
        this.data = data;
        this.program = program;
        this.run = run;
        this.pace = pace;
        this.rate = new LearningRate(experiment.peakLr(arm), recipe.finalLr(), recipe.warmup(), recipe.steps());
        this.divergence = new Divergence(recipe.steps(), recipe.warmup());
    }

    /** Asks for an end before the next step, from any thread; the reason becomes the run's message. */
    public void stop(String reason) {
        stopReason.compareAndSet(null, reason);
    }

    /** Trains to the end of the recipe, or until stopped or diverged; the run file's state says which. */
    public RunStatus train() {
        run.state(RunStatus.RUNNING, "");
        for (int step = 0; step < recipe.steps(); step++) {
            obeyCommands(step);
            if (stopReason.get() != null) {
                return end(step, RunStatus.STOPPED, "stop", stopReason.get());
            }
            StepResult result = take(step);
            for (Verdict verdict : divergence.observe(step, result.loss(), result.gradNorm())) {
                if (verdict.stops()) {
                    return end(step, RunStatus.DIVERGED, "diverged", verdict.sentence());
                }
                run.event(step, verdict.kind(), verdict.sentence());
            }
        }
        return end(recipe.steps() - 1, RunStatus.FINISHED, "finished", "");
    }

    private StepResult take(int step) {
        boolean last = step == recipe.steps() - 1;
        boolean watch = probeNow || last || step % pace.probeEvery() == 0;
        probeNow = false;
        double lr = rateFactor * rate.at(step);
        long start = System.nanoTime();
        TokenBatch batch = data.training(experiment.seed(), step, batch(), sequence());
        StepResult result = step(program, batch, settings(recipe, lr, step, true, watch));
        double ms = (System.nanoTime() - start) / 1e6;
        run.step(
                new StepRecord(step, (step + 1L) * batch() * sequence(), result.loss(), lr, result.gradNorm(), ms,
                        System.currentTimeMillis(), ProcessMemory.residentBytes()),
                result.layers(),
                validate(step, last));
        return result;
    }

    private static StepResult step(StepProgram program, TokenBatch batch, StepSettings settings) {
        return program.step(batch.ids(), batch.targets(), 1, batch.rows(), settings);
    }

    /** What a step of the recipe is taken with. */
    static StepSettings settings(TrainingSpec recipe, double lr, int step, boolean update, boolean watch) {
        return new StepSettings(lr, recipe.beta1(), recipe.beta2(), recipe.adamEps(), recipe.weightDecay(), recipe.clipNorm(),
                step + 1L, update, watch);
    }

    private OptionalDouble validate(int step, boolean last) {
        int every = experiment.measure().validateEvery();
        if (every == 0 || !(last || (step + 1) % every == 0)) {
            return OptionalDouble.empty();
        }
        Evaluation sum = new Evaluation(0, 0, 0);
        for (int i = 0; i < experiment.measure().validationBatches(); i++) {
            TokenBatch batch = data.validation(i, batch(), sequence());
            sum = sum.plus(program.evaluate(batch.ids(), batch.targets(), batch.rows(), -1));
        }
        return OptionalDouble.of(sum.loss());
    }

    private void obeyCommands(int step) {
        long lastBeat = System.nanoTime();
        while (true) {
            for (Command command : run.pendingCommands()) {
                obey(command, step);
            }
            if (!paused || stopReason.get() != null) {
                return;
            }
            if (stepsWhilePaused > 0) {
                stepsWhilePaused--;
                return;
            }
            if (System.nanoTime() - lastBeat > HEARTBEAT_NS) {
                run.heartbeat();
                lastBeat = System.nanoTime();
            }
            try {
                Thread.sleep(PAUSE_POLL_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                stop("The engine was interrupted.");
            }
        }
    }

    private void obey(Command command, int step) {
        switch (command.name()) {
            case "pause" -> {
                paused = true;
                run.taken(command, step, "Paused");
                run.state(RunStatus.PAUSED, "");
            }
            case "resume" -> {
                paused = false;
                run.taken(command, step, "Resumed");
                run.state(RunStatus.RUNNING, "");
            }
            case "step" -> {
                stepsWhilePaused = 1;
                run.taken(command, step, "One step");
            }
            case "stop" -> {
                stop("");
                run.taken(command, step, "Stopped");
            }
            case "probe" -> {
                probeNow = true;
                run.taken(command, step, "Probed");
            }
            case "lr" -> setRate(command, step);
            default -> run.taken(command, step, "\"" + command.name() + "\" is not a command this engine knows");
        }
    }

    /** {@code x0.5} multiplies the schedule from here on; a plain number makes this step's rate that, and scales the rest with it. */
    private void setRate(Command command, int step) {
        String argument = command.argument().strip();
        try {
            double factor = argument.startsWith("x")
                    ? rateFactor * Double.parseDouble(argument.substring(1))
                    : Double.parseDouble(argument) / rate.at(step);
            if (!(factor > 0) || Double.isInfinite(factor)) {
                throw new NumberFormatException();
            }
            rateFactor = factor;
            run.taken(command, step, String.format(Locale.ROOT, "Learning rate %.3g from here on", factor * rate.at(step)));
        } catch (NumberFormatException e) {
            run.taken(command, step, "\"" + argument + "\" is not a learning rate: a positive number, or a factor like x0.5");
        }
    }

    private RunStatus end(int step, RunStatus status, String kind, String message) {
        if (!message.isEmpty()) {
            run.event(step, kind, message);
        }
        run.state(status, message);
        return status;
    }

    private int batch() {
        return experiment.data().batch();
    }

    private int sequence() {
        return experiment.data().sequence();
    }

    /** Finds the pace for an arm by a trial on its first batch; see {@link Pace#choose}. */
    public static Pace findPace(
            Experiment experiment, TokenSource data, StepProgram program, Pace.Threads setter, int threads, int cores) {
        TokenBatch first = data.training(experiment.seed(), 0, experiment.data().batch(), experiment.data().sequence());
        return Pace.choose(
                watch -> step(program, first, settings(experiment.training(), 0, 0, false, watch)),
                setter, threads, cores, experiment.measure().probeEvery(), experiment.training().steps());
    }
}
