package keelscope.experiment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.DoubleConsumer;
import java.util.regex.Pattern;
import keelscope.data.DataException;
import keelscope.data.TextData;
import keelscope.data.TokenSource;
import keelscope.data.TokenText;

/**
 * What is trained on: one text, several files, or a task made on the fly, exactly one of the three. {@link ExperimentFile}
 * resolves a relative path against the folder of the YAML file, so that the experiment can be written elsewhere.
 *
 * @param text path of a UTF-8 text file or of a folder of them, or {@code sample} for the text Keelscope writes itself;
 *     empty where files or a task are given
 * @param files paths of files and folders, read one after another; empty where a text or a task is given
 * @param task the task, where it is one
 * @param tokenizer {@code bytes}, {@code characters}, {@code bpe:N} or the path of a Hugging Face {@code tokenizer.json}
 * @param field what is read of each document of a .jsonl file
 * @param replaceInvalid whether bytes that are not UTF-8 are replaced by U+FFFD; else a text that has any is refused
 * @param validationShare share held out in (0, 0.5]: of a text from its end, of a task by a hash of the instance
 * @param batch sequences per step
 * @param sequence tokens per sequence
 */
public record DataSpec(
        String text,
        List<String> files,
        Optional<TaskSpec> task,
        String tokenizer,
        String field,
        boolean replaceInvalid,
        double validationShare,
        int batch,
        int sequence) {
    private static final int MOST_BATCH = 1 << 16;
    private static final int MOST_SEQUENCE = 1 << 20;
    private static final long MOST_TOKENS = 1L << 28;
    private static final Pattern LEARNT = Pattern.compile(Pattern.quote(TokenText.BPE) + "(\\d{3,5})");
    private static final int LEAST_LEARNT = 257;
    private static final int MOST_LEARNT = 65536;

    /** @throws InvalidExperimentException if a value is not allowed */
    public DataSpec {
        Require.present("data.text", text);
        Require.present("data.files", files);
        Require.present("data.task", task);
        Require.present("data.tokenizer", tokenizer);
        Require.present("data.field", field);
        files = List.copyOf(files);
        int given = (text.isBlank() ? 0 : 1) + (files.isEmpty() ? 0 : 1) + (task.isPresent() ? 1 : 0);
        if (given != 1) {
            String key = given == 0 || task.isEmpty() ? "data.text" : "data.task";
            throw new InvalidExperimentException(
                    key,
                    (given == 0 ? key + " is empty" : key + " is given beside another source")
                            + "; allowed is one of data.text (the path of a UTF-8 text file, or sample), data.files and"
                            + " data.task.");
        }
        if (files.stream().anyMatch(String::isBlank)) {
            throw new InvalidExperimentException("data.files", "data.files has an empty entry; allowed are paths.");
        }
        if (!isTokenizer(tokenizer)) {
            throw Require.refuse(
                    "data.tokenizer",
                    "'" + tokenizer + "'",
                    "bytes, characters, bpe:N with N from " + LEAST_LEARNT + " to " + MOST_LEARNT
                            + ", or the path of a tokenizer.json");
        }
        if (task.isPresent() && !tokenizer.equals(Defaults.TOKENIZER)) {
            throw new InvalidExperimentException(
                    "data.tokenizer",
                    "data.tokenizer is '" + tokenizer + "', but the task " + task.get().task().id()
                            + " makes its tokens itself; leave data.tokenizer out.");
        }
        if (field.isBlank()) {
            throw new InvalidExperimentException("data.field", "data.field is empty; allowed is the name of a JSON field.");
        }
        if (!(validationShare > 0) || validationShare > 0.5) {
            throw Require.refuse("data.validation_share", validationShare, "a number greater than 0 and at most 0.5");
        }
        Require.between("data.batch", batch, 1, MOST_BATCH);
        Require.between("data.sequence", sequence, 1, MOST_SEQUENCE);
        if ((long) batch * (sequence + 1) > MOST_TOKENS) {
            throw new InvalidExperimentException(
                    "data.batch",
                    "data.batch is " + batch + " and data.sequence " + sequence + "; allowed are at most " + MOST_TOKENS
                            + " tokens a step.");
        }
        task.ifPresent(chosen -> refuseTooShort(chosen, validationShare, sequence));
    }

    private static void refuseTooShort(TaskSpec task, double validationShare, int sequence) {
        try {
            task.task().open(task.size(), validationShare, sequence).close();
        } catch (DataException e) {
            throw new InvalidExperimentException("data.sequence", "data.sequence is " + sequence + ". " + e.getMessage());
        }
    }

    /** One text, its bytes the tokens. */
    public DataSpec(String text, double validationShare, int batch, int sequence) {
        this(
                text,
                List.of(),
                Optional.empty(),
                Defaults.TOKENIZER,
                Defaults.FIELD,
                Defaults.REPLACE_INVALID,
                validationShare,
                batch,
                sequence);
    }

    /** A task. */
    public DataSpec(TaskSpec task, double validationShare, int batch, int sequence) {
        this(
                "",
                List.of(),
                Optional.of(task),
                Defaults.TOKENIZER,
                Defaults.FIELD,
                Defaults.REPLACE_INVALID,
                validationShare,
                batch,
                sequence);
    }

    /** The same data in batches of another size. */
    public DataSpec withBatches(int rows, int tokens) {
        return new DataSpec(text, files, task, tokenizer, field, replaceInvalid, validationShare, rows, tokens);
    }

    /**
     * Opens the data. A single plain text whose tokens are its bytes is read where it is; of any other text the tokens are
     * kept in the user's cache, which takes a while the first time.
     *
     * @param folder what a relative path is resolved against
     * @throws keelscope.data.DataException if the data cannot be used
     */
    public TokenSource open(Path folder) {
        return open(folder, share -> { });
    }

    /**
     * The same, watched.
     *
     * @param progress is told what share of a text has been read, 0 to 1
     */
    public TokenSource open(Path folder, DoubleConsumer progress) {
        if (task.isPresent()) {
            return task.get().task().open(task.get().size(), validationShare, sequence);
        }
        return isReadInPlace(folder)
                ? TextData.open(paths().get(0), folder, validationShare, sequence, progress)
                : TokenText.open(paths(), folder, tokenizer, field, replaceInvalid, validationShare, sequence, progress);
    }

    /**
     * Refuses data that cannot be used, as far as a quick look at the beginning of each file tells: said before a run is begun, not by
     * each of its engines. Loads no PyTorch.
     *
     * @param folder what a relative path is resolved against
     * @throws keelscope.data.DataException as {@link #open} does
     */
    public void look(Path folder) {
        if (task.isPresent() || paths().equals(List.of(TextData.SAMPLE)) && isBuiltIn(tokenizer)) {
            return;
        }
        if (isReadInPlace(folder)) {
            TextData.look(paths().get(0), folder, validationShare, sequence);
        } else {
            TokenText.look(paths(), folder, tokenizer, field, replaceInvalid, validationShare, sequence);
        }
    }

    private List<String> paths() {
        return text.isBlank() ? files : List.of(text);
    }

    /** Whether the text is one plain file whose bytes are its tokens. */
    private boolean isReadInPlace(Path folder) {
        return paths().size() == 1 && tokenizer.equals(TokenText.BYTES) && !replaceInvalid && isPlain(paths().get(0), folder);
    }

    /** Number of different tokens, where it is known before the data are opened. */
    public OptionalInt vocabulary() {
        if (task.isPresent()) {
            return OptionalInt.of(task.get().task().vocabulary(task.get().size(), sequence));
        }
        if (tokenizer.equals(TokenText.BYTES)) {
            return OptionalInt.of(256);
        }
        return LEARNT.matcher(tokenizer).matches()
                ? OptionalInt.of(Integer.parseInt(tokenizer.substring(TokenText.BPE.length())))
                : OptionalInt.empty();
    }

    private static boolean isPlain(String path, Path folder) {
        if (path.equals(TextData.SAMPLE)) {
            return true;
        }
        // What cannot be opened is refused by whoever opens it.
        Path file = folder.resolve(path);
        return !Files.isDirectory(file) && TextData.isPlain(file);
    }

    /** Whether the word stands for a tokenizer that is no file. */
    static boolean isBuiltIn(String tokenizer) {
        return tokenizer.equals(TokenText.BYTES)
                || tokenizer.equals(TokenText.CHARACTERS)
                || tokenizer.startsWith(TokenText.BPE);
    }

    private static boolean isTokenizer(String tokenizer) {
        if (tokenizer.startsWith(TokenText.BPE)) {
            return LEARNT.matcher(tokenizer).matches()
                    && Integer.parseInt(tokenizer.substring(TokenText.BPE.length())) >= LEAST_LEARNT
                    && Integer.parseInt(tokenizer.substring(TokenText.BPE.length())) <= MOST_LEARNT;
        }
        return isBuiltIn(tokenizer) || tokenizer.endsWith(".json");
    }
}
