package keelscope.data;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A task whose instances are made on the fly, without end, and whose answers follow from what came before, so that besides
 * the loss the share of right answers is known exactly. All are such that a deeper model can do what a shallower cannot.
 */
public enum Task {
    /**
     * The word problem of S5: each token is a permutation of five things, and what is asked at each position is the product
     * of all so far. It is complete for NC¹ (Barrington 1989): so far as is known, no Transformer of a fixed depth does it at every length.
     */
    PERMUTATIONS("", "", 0, 0, 0),
    /** A table of pointers and queries: follow the pointer {@code hops} times. */
    LOOKUP("hops", "How often the pointer is followed.", 2, 1, 64),
    /** Well-nested brackets of {@code kinds} kinds (Dyck-k): which bracket closes the innermost open one? */
    BRACKETS("kinds", "Kinds of brackets.", 4, 1, 128),
    /** Nested expressions of numbers modulo {@code modulus} with +, − and ×: what do they come to? */
    ARITHMETIC("modulus", "Numbers are counted modulo this.", 7, 2, 1000);

    private final String sizeKey;
    private final String sizeMeaning;
    private final int defaultSize;
    private final int leastSize;
    private final int mostSize;

    Task(String sizeKey, String sizeMeaning, int defaultSize, int leastSize, int mostSize) {
        this.sizeKey = sizeKey;
        this.sizeMeaning = sizeMeaning;
        this.defaultSize = defaultSize;
        this.leastSize = leastSize;
        this.mostSize = mostSize;
    }

    /** The word for this task in YAML, for example {@code permutations}. */
    public String id() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** The key that says how hard it is, for example {@code hops}; empty where there is none. */
    public String sizeKey() {
        return sizeKey;
    }

    /** One sentence about {@link #sizeKey()}. */
    public String sizeMeaning() {
        return sizeMeaning;
    }

    /** How hard it is where that is not said. */
    public int defaultSize() {
        return defaultSize;
    }

    /** The least that {@link #sizeKey()} may be. */
    public int leastSize() {
        return leastSize;
    }

    /** The most that {@link #sizeKey()} may be. */
    public int mostSize() {
        return mostSize;
    }

    /** The task whose {@link #id()} is {@code id}, if there is one. */
    public static Optional<Task> of(String id) {
        return Arrays.stream(values()).filter(t -> t.id().equals(id)).findFirst();
    }

    /** All ids, in the order in which they are offered. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(Task::id).toList();
    }

    /** Number of different tokens in rows of {@code sequence} tokens. */
    public int vocabulary(int size, int sequence) {
        return open(size, 0.05, sequence).vocabulary();
    }

    /**
     * Opens the task.
     *
     * @param size the value of {@link #sizeKey()}; of no meaning where there is none
     * @param validationShare share of all instances that is held out
     * @param sequence tokens per row
     * @throws DataException if a row is too short for an instance
     */
    public TokenSource open(int size, double validationShare, int sequence) {
        if (!sizeKey.isEmpty() && (size < leastSize || size > mostSize)) {
            throw new DataException("data." + sizeKey + " is " + size + "; allowed is a whole number from " + leastSize + " to "
                    + mostSize + ".");
        }
        return switch (this) {
            case PERMUTATIONS -> new PermutationTask(validationShare);
            case LOOKUP -> new LookupTask(size, validationShare, sequence);
            case BRACKETS -> new BracketTask(size, validationShare);
            case ARITHMETIC -> new ArithmeticTask(size, validationShare, sequence);
        };
    }
}
