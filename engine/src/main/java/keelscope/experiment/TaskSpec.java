package keelscope.experiment;

import keelscope.data.Task;

/**
 * A task made on the fly, and how hard it is.
 *
 * @param task which
 * @param size the value of {@link Task#sizeKey()}; {@link Task#defaultSize()} where the task has no such key
 */
public record TaskSpec(Task task, int size) {
    /** @throws InvalidExperimentException if the size is not allowed */
    public TaskSpec {
        Require.present("data.task", task);
        if (!task.sizeKey().isEmpty()) {
            Require.between("data." + task.sizeKey(), size, task.leastSize(), task.mostSize());
        } else if (size != task.defaultSize()) {
            throw new InvalidExperimentException("data.task", "data.task is " + task.id() + ", which has no size.");
        }
    }

    /** The task as hard as it is by default. */
    public TaskSpec(Task task) {
        this(task, task.defaultSize());
    }
}
