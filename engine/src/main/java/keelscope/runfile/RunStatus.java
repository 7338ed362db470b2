package keelscope.runfile;

/** What an arm is doing, as its engine last wrote it. */
public enum RunStatus {
    /** The engine process is loading data, building the model and choosing threads. */
    STARTING,
    RUNNING,
    PAUSED,
    /** Every step of the recipe was taken. */
    FINISHED,
    /** Ended early at the user's request. */
    STOPPED,
    /** Ended because the loss or a gradient was not finite, or by the divergence rule. */
    DIVERGED,
    /** Ended by an error; the message says which. */
    FAILED;

    /** Whether no further step will be written by the engine that wrote this. */
    public boolean ended() {
        return this == FINISHED || this == STOPPED || this == DIVERGED || this == FAILED;
    }
}
