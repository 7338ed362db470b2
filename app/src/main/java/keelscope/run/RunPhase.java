package keelscope.run;

/** What an experiment as a whole is doing. */
public enum RunPhase {
    /** Engines are being started; no step has been taken. */
    STARTING,
    RUNNING,
    /** Every engine that lives is paused. */
    PAUSED,
    /** The user asked to stop; engines are ending. */
    STOPPING,
    /** No engine writes any more. */
    ENDED;

    /** Whether engines are alive. */
    public boolean live() {
        return this != ENDED;
    }
}
