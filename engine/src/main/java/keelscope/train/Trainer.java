package keelscope.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import keelscope.checkpoint.Checkpoint;
import keelscope.checkpoint.CheckpointException;
import keelscope.checkpoint.CheckpointInfo;
import keelscope.checkpoint.CheckpointModel;
import keelscope.checkpoint.CheckpointStore;
import keelscope.data.TokenBatch;
import keelscope.data.TokenSource;
import keelscope.data.Tokenizer;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.Experiment;
import keelscope.experiment.TrainingSpec;
import keelscope.model.Evaluation;
import keelscope.model.StepProgram;
import keelscope.model.StepResult;
import keelscope.model.StepSettings;
import keelscope.runfile.Command;
import keelscope.runfile.Measure;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.runfile.StepRecord;
import keelscope.runfile.StepSeries;
import keelscope.runfile.TakenCommand;
import keelscope.runfile.ValidationRecord;

/**
 * Trains one arm: the recipe of the specification, section 5, step by step, each committed to the run file before the next
 * begins. Commands are rows of that file, obeyed between two steps.
 *
 * <p>A run that was ended or killed goes on from its last checkpoint. The steps recorded after that are computed again, with the
 * same commands at the same steps, and compared with the record, which stands as it is: on the same machine they agree to
 * the last bit, and nothing recorded is ever given up for a repetition that may be cut short in its turn.
 */
public final class Trainer {

    private static final long PAUSE_POLL_MS = 20;
    private static final long OTHERS_POLL_MS = 1;
    private static final long HEARTBEAT_NS = 500_000_000;

    /** How many recorded steps are looked at together, to follow a long run in little memory. */
    private static final int WINDOW = 4096;

    private static final String RATE_FACTOR = "lr_factor";
    private static final String LAST_COMMAND = "last_command";

    private final Experiment experiment;
    private final TrainingSpec recipe;
    private final TokenSource data;
    private final StepProgram program;
    private final RunWriter run;
    private final ProbeCadence cadence;
    private final CheckpointStore checkpoints;
    private final IntPredicate othersAllow;
    private final LearningRate rate;
    private final AtomicReference<String> stopReason = new AtomicReference<>();

    private Divergence divergence;
    private boolean paused;
    private boolean probeNow;
    private int stepsWhilePaused;
    private double rateFactor = 1;

    private int first;
    private final Deque<TakenCommand> replay = new ArrayDeque<>();
    private long lastCommand;
    private double validationLoss = Double.NaN;
    private int lastCheckpoint;
    private CheckpointCadence checkpointCadence = new CheckpointCadence(System.nanoTime());

    /**
     * @param probeEvery steps from one probe to the next, 0 to find out from the first steps
     * @param checkpoints where checkpoints are kept
     * @param othersAllow whether a step may be taken now, as far as the other arms go
     */
    public Trainer(
            Experiment experiment,
            ArmSpec arm,
            TokenSource data,
            StepProgram program,
            RunWriter run,
            int probeEvery,
            CheckpointStore checkpoints,
            IntPredicate othersAllow) {
        this.experiment = experiment;
        this.recipe = experiment.recipe(arm);
        this.data = data;
        this.program = program;
        this.run = run;
        this.cadence = new ProbeCadence(probeEvery, recipe.steps());
        this.checkpoints = checkpoints;
        this.othersAllow = othersAllow;
        this.rate = new LearningRate(recipe.peakLr(), recipe.finalLr(), recipe.warmup(), recipe.steps());
        this.divergence = newDivergence();
    }

    private Divergence newDivergence() {
        // Where every target follows from what came before, nothing keeps the loss from falling to 0.
        OptionalDouble floor = data.hasAccuracy() ? OptionalDouble.of(0) : OptionalDouble.empty();
        return new Divergence(experiment.divergence(), recipe.steps(), recipe.warmup(), floor, Optional.empty());
    }

    /** Asks for an end before the next step, from any thread; the reason becomes the run's message. */
    public void stop(String reason) {
        stopReason.compareAndSet(null, reason);
    }

    /**
     * Takes up the recorded run from its last whole checkpoint, or from the beginning where there is none; to be called before
     * {@link #train}.
     *
     * @throws CheckpointException if the checkpoint is of another model or of other data
     */
    public void goOn() {
        List<String> damaged = new ArrayList<>();
        String from = "";
        try (RunReader record = RunReader.open(run.file())) {
            // A power cut may cost the last commits, not a checkpoint: one that is ahead of the record would leave a gap in it.
            Optional<Checkpoint> latest = checkpoints.openLatest(run.lastStep() + 1, damaged::add);
            if (latest.isPresent()) {
                try (Checkpoint checkpoint = latest.get()) {
                    take(checkpoint);
                    from = "Goes on from the checkpoint after step " + (first - 1);
                }
            }
            for (TakenCommand taken : record.commands()) {
                if (taken.command().id() > lastCommand) {
                    replay.add(taken);
                }
            }
        }
        if (from.isEmpty()) {
            from = damaged.isEmpty() ? "There is no checkpoint, so training begins anew" : "No checkpoint is whole, so training begins anew";
        }
        learnFromRecord(run.lastStep() + 1);
        String again = first > run.lastStep()
                ? "."
                : "; the steps from " + first + " to " + run.lastStep() + " are computed again and compared with those recorded.";
        damaged.forEach(sentence -> run.event(Math.max(0, run.lastStep()), "resume", sentence + " It is passed over."));
        run.event(Math.max(0, run.lastStep()), "resume", from + again);
    }

    private void take(Checkpoint checkpoint) {
        CheckpointInfo info = checkpoint.info();
        checkpoint.requireData(data.hash());
        TrainingState.restore(program, checkpoint);
        first = info.step();
        lastCheckpoint = first;
        validationLoss = info.validationLoss();
        rateFactor = Double.parseDouble(info.state().getOrDefault(RATE_FACTOR, "1"));
        lastCommand = Long.parseLong(info.state().getOrDefault(LAST_COMMAND, "0"));
    }

    /** Judges the first {@code steps} recorded steps, whose verdicts are recorded already. */
    private void learnFromRecord(int steps) {
        divergence = newDivergence();
        try (RunReader record = RunReader.open(run.file())) {
            for (int from = 0; from < steps; from += WINDOW) {
                StepSeries series = record.steps(from, Math.min(steps, from + WINDOW) - 1, WINDOW);
                for (int i = 0; i < series.size(); i++) {
                    divergence.observe(series.firstStep()[i], series.loss()[i], series.gradNorm()[i]);
                }
            }
        }
    }

    /** Trains to the end of the recipe, or until stopped or diverged; the run file's state says which. */
    public RunStatus train() {
        run.state(RunStatus.RUNNING, "");
        if (divergence.verdict().stops()) {
            return end(run.lastStep(), RunStatus.DIVERGED, "diverged", divergence.verdict().sentence());
        }
        for (int step = first; step < recipe.steps(); step++) {
            obeyCommands(step);
            if (stopReason.get() != null) {
                checkpointAtEnd(step);
                return end(step, RunStatus.STOPPED, "stop", stopReason.get());
            }
            StepResult result = step <= run.lastStep() ? takeAgain(step) : takeAndRecord(step);
            if (step == first + 1) {
                // Training begins in earnest: the first step allocates, and after it an arm may have waited for others.
                checkpointCadence = new CheckpointCadence(System.nanoTime());
            }
            if (divergence.verdict().stops()) {
                return end(step, RunStatus.DIVERGED, "diverged", divergence.verdict().sentence());
            }
            checkpointWhereDue(step + 1, result);
        }
        checkpointAtEnd(recipe.steps());
        return end(recipe.steps() - 1, RunStatus.FINISHED, "finished", "");
    }

    private StepResult takeAndRecord(int step) {
        boolean last = step == recipe.steps() - 1;
        double lr = rateFactor * rate.at(step);
        long start = System.nanoTime();
        StepResult result = take(step, lr);
        double ms = (System.nanoTime() - start) / 1e6;
        record(step, lr, result, ms, validate(step, last));
        String found = cadence.took(result.layers().containsKey(Measure.CARRY_RMS), ms);
        if (!found.isEmpty()) {
            run.probeEvery(cadence.every());
            run.event(step, "pace", found);
        }
        return result;
    }

    private void record(int step, double lr, StepResult result, double ms, Optional<ValidationRecord> validation) {
        run.step(
                new StepRecord(step, tokens(step + 1), result.loss(), lr, result.gradNorm(), ms, System.currentTimeMillis(),
                        ProcessMemory.residentBytes()),
                result.layers(),
                validation);
        for (Verdict verdict : divergence.observe(step, result.loss(), result.gradNorm())) {
            if (!verdict.stops()) {
                run.event(step, verdict.kind(), verdict.sentence());
            }
        }
    }

    /** Takes a step that is recorded. Where it comes out otherwise, as on another machine, it is recorded anew, and all after it. */
    private StepResult takeAgain(int step) {
        double lr = rateFactor * rate.at(step);
        long start = System.nanoTime();
        StepResult result = take(step, lr);
        double ms = (System.nanoTime() - start) / 1e6;
        boolean same;
        try (RunReader record = RunReader.open(run.file())) {
            StepSeries recorded = record.steps(step, step, 1);
            same = Double.compare(recorded.loss()[0], result.loss()) == 0
                    && Double.compare(recorded.gradNorm()[0], result.gradNorm()) == 0;
        }
        if (!same) {
            int until = run.lastStep();
            run.truncateAfter(step - 1);
            learnFromRecord(step);
            run.event(step, "resume", "The steps from " + step + " to " + until
                    + " came out otherwise than recorded, as on another machine; they are recorded anew.");
            record(step, lr, result, ms, validate(step, step == recipe.steps() - 1));
        }
        return result;
    }

    private StepResult take(int step, double lr) {
        boolean last = step == recipe.steps() - 1;
        boolean watch = probeNow || last || cadence.due(step);
        probeNow = false;
        TokenBatch batch = data.training(experiment.seed(), step, batch() * recipe.accumulate(), sequence());
        return program.step(batch.ids(), batch.targets(), recipe.accumulate(), batch(), settings(recipe, lr, step, true, watch));
    }

    /** What a step of the recipe is taken with. */
    static StepSettings settings(TrainingSpec recipe, double lr, int step, boolean update, boolean watch) {
        return new StepSettings(lr, recipe.beta1(), recipe.beta2(), recipe.adamEps(), recipe.weightDecay(), recipe.clipNorm(),
                step + 1L, update, watch);
    }

    private Optional<ValidationRecord> validate(int step, boolean last) {
        int every = experiment.measure().validateEvery();
        if (every == 0 || !(last || (step + 1) % every == 0)) {
            return Optional.empty();
        }
        Evaluation sum = new Evaluation(0, 0, 0);
        for (int i = 0; i < experiment.measure().validationBatches(); i++) {
            TokenBatch batch = data.validation(i, batch(), sequence());
            sum = sum.plus(program.evaluate(batch.ids(), batch.targets(), batch.rows(), -1));
        }
        validationLoss = sum.loss();
        double accuracy = data.hasAccuracy() ? (double) sum.correct() / sum.count() : Double.NaN;
        return Optional.of(new ValidationRecord(step, sum.loss(), accuracy));
    }

    private void checkpointWhereDue(int taken, StepResult last) {
        if (!Double.isFinite(last.loss()) || taken == recipe.steps()) {
            return;
        }
        boolean due = recipe.checkpointEvery() == TrainingSpec.AUTO
                ? checkpointCadence.due(System.nanoTime())
                : recipe.checkpointEvery() != TrainingSpec.AT_END && taken % recipe.checkpointEvery() == 0;
        if (due) {
            Saved saved = checkpoint(taken);
            run.event(taken - 1, saved.kind, saved.text);
        }
    }

    private void checkpointAtEnd(int taken) {
        if (taken > lastCheckpoint) {
            Saved saved = checkpoint(taken);
            run.event(taken - 1, saved.kind, saved.text);
        }
    }

    /** What became of a checkpoint: the kind of the event, and its text. */
    private record Saved(String kind, String text) {}

    /** Writes a checkpoint after {@code taken} steps; where that fails training goes on, since the one before is whole. */
    private Saved checkpoint(int taken) {
        long start = System.nanoTime();
        CheckpointModel model =
                new CheckpointModel(program.architecture(), sequence(), data.tokenizer().map(Tokenizer::definition));
        Map<String, String> state = new HashMap<>(model.state());
        state.put(RATE_FACTOR, Double.toString(rateFactor));
        state.put(LAST_COMMAND, Long.toString(lastCommand));
        try {
            Path file = checkpoints.save(
                    new CheckpointInfo(taken, tokens(taken), experiment.seed(), data.hash(), validationLoss,
                            model.model(), state),
                    TrainingState.tensors(program));
            lastCheckpoint = taken;
            return new Saved("checkpoint", "Checkpoint " + file.getFileName() + size(file));
        } catch (CheckpointException e) {
            return new Saved("checkpoint_failed", e.getMessage());
        } finally {
            checkpointCadence.wrote(start, System.nanoTime());
        }
    }

    private static String size(Path file) {
        try {
            return String.format(Locale.ROOT, " (%.1f MB)", Files.size(file) / 1e6);
        } catch (IOException e) {
            return ""; // it is there; only its size is not known
        }
    }

    private void obeyCommands(int step) {
        while (!replay.isEmpty() && replay.peek().takenStep() <= step) {
            obeyAgain(replay.poll());
        }
        long lastBeat = System.nanoTime();
        while (true) {
            for (Command command : run.pendingCommands()) {
                // What was recorded stays so: what would change it waits until there is no more of it to compute again.
                if (step > run.lastStep() || !command.name().equals("lr") && !command.name().equals("probe")) {
                    obey(command, step);
                }
            }
            if (stopReason.get() != null) {
                return;
            }
            if (paused && stepsWhilePaused > 0) {
                stepsWhilePaused--;
                return;
            }
            if (!paused && othersAllow.test(step)) {
                return;
            }
            if (System.nanoTime() - lastBeat > HEARTBEAT_NS) {
                run.heartbeat();
                lastBeat = System.nanoTime();
            }
            try {
                Thread.sleep(paused ? PAUSE_POLL_MS : OTHERS_POLL_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                stop("The engine was interrupted.");
            }
        }
    }

    /** What a command did to the numbers when it was first obeyed. */
    private void obeyAgain(TakenCommand taken) {
        switch (taken.command().name()) {
            case "lr" -> factor(taken.command().argument(), taken.takenStep()).ifPresent(factor -> rateFactor = factor);
            case "probe" -> probeNow = true;
            default -> { } // the others changed no number
        }
        lastCommand = taken.command().id();
    }

    private void obey(Command command, int step) {
        lastCommand = Math.max(lastCommand, step > run.lastStep() ? command.id() : 0);
        switch (command.name()) {
            case "pause" -> {
                paused = true;
                run.taken(command, step, "Paused");
                run.state(RunStatus.PAUSED, "");
            }
            case "resume" -> {
                paused = false;
                stepsWhilePaused = 0;
                run.taken(command, step, "Resumed");
                run.state(RunStatus.RUNNING, "");
            }
            case "step" -> {
                stepsWhilePaused++;
                run.taken(command, step, "One step");
                if (!paused) {
                    paused = true;
                    run.state(RunStatus.PAUSED, "");
                }
            }
            case "stop" -> {
                stop("");
                run.taken(command, step, "Stopped");
            }
            case "probe" -> {
                probeNow = true;
                run.taken(command, step, "Probed");
            }
            case "checkpoint" -> run.taken(command, step, step == 0 ? "There is nothing to keep before the first step" : checkpoint(step).text);
            case "lr" -> setRate(command, step);
            default -> run.taken(command, step, "\"" + command.name() + "\" is not a command this engine knows");
        }
    }

    private void setRate(Command command, int step) {
        OptionalDouble factor = factor(command.argument(), step);
        if (factor.isPresent()) {
            rateFactor = factor.getAsDouble();
            run.taken(command, step, String.format(Locale.ROOT, "Learning rate %.3g from here on", rateFactor * rate.at(step)));
        } else {
            run.taken(command, step,
                    "\"" + command.argument() + "\" is not a learning rate: a positive number, or a factor like x0.5");
        }
    }

    /**
     * The factor on the schedule that an argument asks for: {@code x0.5} multiplies the schedule from here on; a plain number makes
     * this step's rate that, and scales the rest with it.
     */
    private OptionalDouble factor(String argument, int step) {
        String text = argument.strip().replace('×', 'x');
        try {
            double factor = text.startsWith("x")
                    ? rateFactor * Double.parseDouble(text.substring(1))
                    : Double.parseDouble(text.startsWith("=") ? text.substring(1) : text) / rate.at(step);
            return factor > 0 && !Double.isInfinite(factor) ? OptionalDouble.of(factor) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    private RunStatus end(int step, RunStatus status, String kind, String message) {
        if (!message.isEmpty()) {
            run.event(step, kind, message);
        }
        run.state(status, message);
        return status;
    }

    private long tokens(int steps) {
        return (long) steps * batch() * recipe.accumulate() * sequence();
    }

    private int batch() {
        return experiment.data().batch();
    }

    private int sequence() {
        return experiment.data().sequence();
    }

    /** Chooses the threads for an arm, where need be by a trial on its first batch; see {@link Pace#choose}. */
    public static Pace findPace(
            Experiment experiment, ArmSpec arm, TokenSource data, StepProgram program, Pace.Threads setter, int asked) {
        TokenBatch batch = data.training(experiment.seed(), 0, experiment.data().batch(), experiment.data().sequence());
        TrainingSpec recipe = experiment.recipe(arm);
        return Pace.choose(
                () -> program.step(batch.ids(), batch.targets(), 1, batch.rows(), settings(recipe, 0, 0, false, false)),
                setter, asked, experiment.coresOfAnArm());
    }
}
