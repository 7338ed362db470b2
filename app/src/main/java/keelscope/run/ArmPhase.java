package keelscope.run;

/** What one arm is doing, as far as the window can tell: what its engine wrote last, and whether that engine lives. */
public enum ArmPhase {
    STARTING,
    RUNNING,
    PAUSED,
    FINISHED,
    STOPPED,
    DIVERGED,
    FAILED,
    /** Its engine is gone without having written an end: killed, crashed, or the machine went down. */
    GONE;

    /** Whether no further step will come. */
    public boolean ended() {
        return this != STARTING && this != RUNNING && this != PAUSED;
    }
}
