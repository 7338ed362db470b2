package keelscope.runfile;

/**
 * A command and when it was obeyed.
 *
 * @param takenStep the step at which it took effect: the first one after it
 */
public record TakenCommand(Command command, int takenStep) {}
