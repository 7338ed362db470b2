package keelscope.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import keelscope.export.ScalarLog.Value;
import keelscope.process.RunFolder;
import keelscope.runfile.Failure;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.runfile.StepRecord;

/** Makes a run file of another program's log, so that it opens, compares and exports like a run of one's own. */
public final class LogImport {

    /** The scheme of such a run. */
    public static final String SCHEME = "imported";

    /** Folders below one that are looked into for event files. */
    private static final int LOOK_DEPTH = 4;

    /**
     * Which series of a log are which measure of a run.
     *
     * @param loss the training loss; its steps are the run's
     */
    public record Columns(
            String loss,
            Optional<String> validationLoss,
            Optional<String> lr,
            Optional<String> gradNorm,
            Optional<String> tokens) {

        /**
         * Finds them by the names in common use, whatever their case, and with {@code /} or {@code .} for {@code _}.
         *
         * @throws ExportException if no training loss is among them
         */
        public static Columns guess(Set<String> names) {
            String loss = find(names, List.of("loss", "train_loss", "training_loss", "loss_train", "train_loss_step", "loss_training",
                            "losses_train", "lm_loss", "epoch_loss", "batch_loss"))
                    .orElseThrow(() -> new ExportException("None of the series " + brief(names) + " is known as a training loss; name one with --loss."));
            return new Columns(
                    loss,
                    find(names, List.of("val_loss", "valid_loss", "validation_loss", "eval_loss", "loss_val", "loss_valid",
                            "loss_validation", "loss_eval", "test_loss")),
                    find(names, List.of("lr", "learning_rate", "train_lr", "train_learning_rate", "lr_group0")),
                    find(names, List.of("grad_norm", "gradient_norm", "train_grad_norm", "gradnorm", "total_grad_norm")),
                    find(names, List.of("tokens", "train_tokens", "total_tokens", "num_tokens", "tokens_seen")));
        }

        private static Optional<String> find(Set<String> names, List<String> known) {
            for (String wanted : known) {
                for (String name : names) {
                    if (name.toLowerCase(Locale.ROOT).replaceAll("[/.\\s-]", "_").equals(wanted)) {
                        return Optional.of(name);
                    }
                }
            }
            return Optional.empty();
        }

        private static String brief(Set<String> names) {
            List<String> some = names.stream().limit(8).toList();
            return String.join(", ", some) + (names.size() > some.size() ? ", …" : "");
        }
    }

    private LogImport() {}

    /** Chooses among the names of a log's series. */
    @FunctionalInterface
    public interface Choice {
        /** @throws ExportException with one sentence if no choice can be made */
        Columns of(Set<String> names);
    }

    /**
     * The logs that are meant by a path: itself; of a folder without event files of its own, the folders below that have some, as
     * TensorBoard takes them for runs.
     */
    public static List<Path> logs(Path path) {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        try (Stream<Path> all = Files.walk(path)) {
            List<Path> folders = all.filter(f -> f.getFileName() != null && f.getFileName().toString().contains("tfevents"))
                    .map(Path::getParent)
                    .distinct()
                    .sorted()
                    .toList();
            return folders.isEmpty() || folders.contains(path) ? List.of(path) : folders;
        } catch (IOException e) {
            throw new ExportException(path + " cannot be read: " + Failure.reason(e) + ".", e);
        }
    }

    /** What a run made of a log is called unless it is given a name: the file or folder, without a {@code .csv}. */
    public static String name(Path log) {
        String name = log.toAbsolutePath().normalize().getFileName().toString();
        return name.toLowerCase(Locale.ROOT).endsWith(".csv") ? name.substring(0, name.length() - 4) : name;
    }

    /**
     * Reads a log, an event file, a folder of them or a CSV file by its looks, and makes a run file of it.
     *
     * @param log file or folder
     * @param target the run file, which does not exist
     * @throws ExportException with one sentence if the log cannot be read or holds no training loss
     */
    public static void read(Path log, Target target, Choice choice, Progress progress) {
        boolean csv = Files.isRegularFile(log) && !log.getFileName().toString().contains("tfevents");
        ScalarLog scalars = csv
                ? CsvLog.read(log, share -> progress.at(share / 2))
                : TensorBoardLog.read(log, share -> progress.at(share / 2));
        write(scalars, choice.of(scalars.names()), log, target, share -> progress.at(0.5 + share / 2));
    }

    /** The same with the names in common use. */
    public static void read(Path log, Path target, Progress progress) {
        read(log, new Target(target, name(log)), Columns::guess, progress);
    }

    /**
     * What is to be made.
     *
     * @param file the run file, which does not exist
     * @param name what the run is called
     */
    public record Target(Path file, String name) {

        /** A new file in {@code folder} that is named after the run, with a number where there is such a one. */
        public static Target in(Path folder, String name) {
            String plain = name.replaceAll("[^\\p{L}\\p{N} ._+=-]", "_");
            Path file = RunFolder.runFile(folder, plain);
            for (int number = 2; Files.exists(file); number++) {
                file = RunFolder.runFile(folder, plain + "-" + number);
            }
            return new Target(file, name);
        }
    }

    /** Where runs made of logs are kept in a folder of runs. */
    public static Path folder(Path runs) {
        return runs.resolve("imported");
    }

    /**
     * Whether this is another program's log by its looks: a CSV file, an event file, or a folder with some and no run file of this program.
     *
     * @throws java.util.concurrent.CancellationException if {@code progress} cancels while a folder is looked into
     */
    public static boolean isLog(Path path, Progress progress) {
        String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
        if (!Files.isDirectory(path)) {
            return name.endsWith(".csv") || name.contains("tfevents");
        }
        try (Stream<Path> all = Files.walk(path, LOOK_DEPTH)) {
            List<String> names = all.peek(file -> progress.check(0)).map(file -> String.valueOf(file.getFileName())).toList();
            return names.stream().anyMatch(found -> found.contains("tfevents")) && names.stream().noneMatch(found -> found.endsWith(".keelrun"));
        } catch (IOException | java.io.UncheckedIOException e) {
            // Whoever opens it will say what is wrong with it.
            return false;
        }
    }

    /**
     * Writes the run file.
     *
     * @param source the file or folder that the log was read from
     * @throws java.util.concurrent.CancellationException if {@code progress} cancels; no file is left then
     */
    public static void write(ScalarLog log, Columns columns, Path source, Target target, Progress progress) {
        NavigableMap<Integer, Value> loss = log.series(columns.loss());
        if (loss.isEmpty()) {
            throw new ExportException("The series " + columns.loss() + " has no values.");
        }
        Value first = loss.firstEntry().getValue();
        long created = first.timeMs() > 0 ? first.timeMs() : System.currentTimeMillis();
        Path read = source.toAbsolutePath().normalize();
        RunInfo info = new RunInfo(target.name(), "", target.name(), SCHEME, 0, 0, 0, loss.lastKey() + 1, 0, Double.NaN, 0,
                "read from " + read, "", 0, "", "", 0, created);
        boolean complete = false;
        try (RunWriter run = RunWriter.create(target.file(), info)) {
            write(log, columns, run, loss, progress);
            run.state(RunStatus.FINISHED, "Read from " + read + ".");
            complete = true;
        } finally {
            if (!complete) {
                remove(target.file());
            }
        }
    }

    private static void write(
            ScalarLog log, Columns columns, RunWriter run, NavigableMap<Integer, Value> loss, Progress progress) {
        NavigableMap<Integer, Value> validation = series(log, columns.validationLoss());
        NavigableMap<Integer, Value> lr = series(log, columns.lr());
        NavigableMap<Integer, Value> gradNorm = series(log, columns.gradNorm());
        NavigableMap<Integer, Value> tokens = series(log, columns.tokens());
        validation.forEach((step, value) -> {
            if (!loss.containsKey(step)) {
                run.validation(step, value.value());
            }
        });
        long tokensSoFar = 0;
        long before = 0;
        int beforeStep = -1;
        int done = 0;
        for (Map.Entry<Integer, Value> entry : loss.entrySet()) {
            int step = entry.getKey();
            if (done++ % 1000 == 0) {
                progress.check((double) done / loss.size());
            }
            long time = entry.getValue().timeMs();
            double stepMs = before > 0 && time >= before ? (double) (time - before) / (step - beforeStep) : Double.NaN;
            tokensSoFar = tokens.containsKey(step) ? (long) tokens.get(step).value() : tokensSoFar;
            StepRecord record = new StepRecord(
                    step, tokensSoFar, entry.getValue().value(), at(lr, step), at(gradNorm, step), stepMs, time, 0);
            OptionalDouble validated =
                    validation.containsKey(step) ? OptionalDouble.of(validation.get(step).value()) : OptionalDouble.empty();
            run.step(record, Map.of(), validated);
            before = time;
            beforeStep = step;
        }
    }

    private static NavigableMap<Integer, Value> series(ScalarLog log, Optional<String> name) {
        return log.series(name.orElse(""));
    }

    private static double at(NavigableMap<Integer, Value> series, int step) {
        Value value = series.get(step);
        return value == null ? Double.NaN : value.value();
    }

    private static void remove(Path runFile) {
        for (String end : List.of("", "-wal", "-shm", ".lock")) {
            try {
                Files.deleteIfExists(runFile.resolveSibling(runFile.getFileName() + end));
            } catch (IOException e) {
                throw new ExportException("The unfinished run file " + runFile + " could not be removed: " + Failure.reason(e) + ".", e);
            }
        }
    }
}
