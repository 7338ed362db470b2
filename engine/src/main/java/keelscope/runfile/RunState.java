package keelscope.runfile;

/**
 * The changing part of a run file's head.
 *
 * @param status what the engine is doing
 * @param message one sentence for the user, empty where there is nothing to say (why it diverged, failed, …)
 * @param pid process id of the engine that last wrote, 0 before there was one
 * @param heartbeatMs wall clock (ms since 1970) of the engine's last sign of life
 */
public record RunState(RunStatus status, String message, long pid, long heartbeatMs) {}
