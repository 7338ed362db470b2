package keelscope.runfile;

/**
 * Something that happened at a step and is drawn on the charts.
 *
 * @param id ascending number in this file
 * @param step the step at which it took effect
 * @param timeMs wall clock, ms since 1970
 * @param kind a short word: pause, resume, stop, lr, probe, checkpoint, diverged, spike, killed, failed, …
 * @param text one sentence
 */
public record RunEvent(long id, int step, long timeMs, String kind, String text) {}
