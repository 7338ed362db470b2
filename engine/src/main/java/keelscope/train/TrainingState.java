package keelscope.train;

import java.util.ArrayList;
import java.util.List;
import keelscope.checkpoint.Checkpoint;
import keelscope.checkpoint.CheckpointException;
import keelscope.checkpoint.CheckpointModel;
import keelscope.checkpoint.Dtype;
import keelscope.checkpoint.TensorInfo;
import keelscope.checkpoint.TensorSource;
import keelscope.model.Architecture;
import keelscope.model.Architecture.Parameter;
import keelscope.model.StepProgram;
import keelscope.model.StepProgram.State;

/** What a program holds, as the tensors of a checkpoint: every parameter, and AdamW's two averages of its gradient. */
final class TrainingState {

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

    private static void require(Checkpoint checkpoint, Architecture model) {
        checkpoint.requireModel(CheckpointModel.model(model));
        List<TensorInfo> expected = new ArrayList<>();
        for (State state : State.values()) {
            model.parameters().forEach(parameter -> expected.add(info(state, parameter)));
        }
        checkpoint.requireTensors(expected);
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
