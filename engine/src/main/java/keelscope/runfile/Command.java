package keelscope.runfile;

/**
 * What a user asked of a running engine; a row of the run file.
 *
 * @param id ascending number in this file
 * @param name pause, resume, stop, lr, probe, checkpoint, step
 * @param argument the argument, empty where there is none (lr: a number, or a factor written {@code x0.5})
 */
public record Command(long id, String name, String argument) {}
