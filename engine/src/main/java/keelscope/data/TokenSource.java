package keelscope.data;

import java.util.Optional;

/**
 * Where batches come from: a text, or a task made on the fly. What is trained on at a step is a function of the seed and
 * the step alone; row r of it does not depend on how many rows are asked for.
 */
public interface TokenSource extends AutoCloseable {
    /** Number of different tokens; ids and targets are below it. */
    int vocabulary();

    /**
     * What is trained on at a step.
     *
     * @throws DataException if the source cannot be read any more
     */
    TokenBatch training(long seed, int step, int rows, int sequence);

    /**
     * Validation batch {@code index}: the same at every validation and for every seed, from what is never trained on.
     *
     * @throws DataException if the source cannot be read any more
     */
    TokenBatch validation(int index, int rows, int sequence);

    /** One line for the run file: what it is, its size, how it is split. */
    String description();

    /** SHA-256, hexadecimal: of a text's bytes, or of a task's definition. */
    String hash();

    /** Whether a target follows from what came before it, so that the share of right answers is worth recording. */
    boolean hasAccuracy();

    /** What turns text into tokens and back; empty for a task. */
    Optional<Tokenizer> tokenizer();

    /** Releases files; no batch can be had after it. */
    @Override
    void close();
}
