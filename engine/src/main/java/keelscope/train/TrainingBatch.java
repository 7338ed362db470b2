package keelscope.train;

import keelscope.model.Evaluation;
import keelscope.model.StepProgram;
import keelscope.model.StepResult;
import keelscope.model.StepSettings;

/**
 * A batch as the model takes it.
 *
 * @param ids token ids, row-major (batch, sequence)
 * @param targets the token that follows each; same shape
 * @param batch number of rows
 */
record TrainingBatch(long[] ids, long[] targets, int batch) {

    /** From rows of sequence + 1 tokens: the first are the ids, the last the targets. */
    static TrainingBatch of(int[] windows, int batch) {
        int window = windows.length / batch;
        int sequence = window - 1;
        long[] ids = new long[batch * sequence];
        long[] targets = new long[batch * sequence];
        for (int row = 0; row < batch; row++) {
            for (int i = 0; i < sequence; i++) {
                ids[row * sequence + i] = windows[row * window + i];
                targets[row * sequence + i] = windows[row * window + i + 1];
            }
        }
        return new TrainingBatch(ids, targets, batch);
    }

    StepResult step(StepProgram program, StepSettings settings) {
        return program.step(ids, targets, 1, batch, settings);
    }

    Evaluation evaluate(StepProgram program) {
        return program.evaluate(ids, targets, batch, -1);
    }
}
