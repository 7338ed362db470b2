package keelscope.train;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import keelscope.checkpoint.Checkpoint;
import keelscope.checkpoint.CheckpointException;
import keelscope.checkpoint.Dtype;
import keelscope.checkpoint.TensorInfo;
import keelscope.checkpoint.TensorSource;
import keelscope.model.Architecture;
import keelscope.model.Architecture.Parameter;
import keelscope.model.StepProgram;
import keelscope.model.StepProgram.State;

/** What a program holds, as the tensors of a checkpoint: every parameter, and AdamW's two averages of its gradient. */
public final class TrainingState {

    private TrainingState() {}

    /** The state of {@code program}, each tensor copied when it is written. */
    static List<TensorSource> tensors(StepProgram program) {
        List<TensorSource> tensors = new ArrayList<>();
        for (State state : State.values()) {
            for (Parameter parameter : program.architecture().parameters()) {
                tensors.add(new TensorSource(info(state, parameter), () -> program.read(state, parameter)));
            }
        }
        return tensors;
    }

    /**
     * Gives {@code program} the state that a checkpoint holds.
     *
     * @throws CheckpointException if it is of another model, or cannot be read
     */
    static void restore(StepProgram program, Checkpoint checkpoint) {
        require(checkpoint, program.architecture());
        for (State state : State.values()) {
            for (Parameter parameter : program.architecture().parameters()) {
                program.write(state, parameter, checkpoint.read(name(state, parameter)));
            }
        }
    }

    /**
     * Gives {@code program} the parameters that a checkpoint holds; enough to evaluate the model and to write with it.
     *
     * @throws CheckpointException if it is of another model, or cannot be read
     */
    public static void restoreParameters(StepProgram program, Checkpoint checkpoint) {
        require(checkpoint, program.architecture());
        for (Parameter parameter : program.architecture().parameters()) {
            program.write(State.VALUE, parameter, checkpoint.read(parameter.name()));
        }
    }

    private static void require(Checkpoint checkpoint, Architecture model) {
        checkpoint.requireModel(model(model));
        List<TensorInfo> expected = new ArrayList<>();
        for (State state : State.values()) {
            model.parameters().forEach(parameter -> expected.add(info(state, parameter)));
        }
        checkpoint.requireTensors(expected);
    }

    /** What must agree for a checkpoint to be of this model. */
    static Map<String, String> model(Architecture model) {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("scheme", model.scheme().id());
        words.put("layers", Integer.toString(model.layers()));
        words.put("d_model", Integer.toString(model.dModel()));
        words.put("heads", Integer.toString(model.heads()));
        words.put("ff_hidden", Integer.toString(model.ffHidden()));
        words.put("vocabulary", Integer.toString(model.vocabulary()));
        words.put("alpha", model.trainedAlpha() ? "trained" : Double.toString(model.rule(model.layers() - 1).alpha()));
        return words;
    }

    private static TensorInfo info(State state, Parameter parameter) {
        return new TensorInfo(name(state, parameter), Dtype.F32, parameter.shape().stream().map(Integer::longValue).toList());
    }

    private static String name(State state, Parameter parameter) {
        return switch (state) {
            case VALUE -> parameter.name();
            case EXP_AVG -> Checkpoint.averageName(parameter.name());
            case EXP_AVG_SQ -> Checkpoint.squareName(parameter.name());
        };
    }
}
