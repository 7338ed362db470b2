package keelscope.run;

/**
 * Something about a run that its user must know.
 *
 * @param severity how bad it is
 * @param arm the arm it is about, empty where it is about all
 * @param text one sentence
 */
public record RunNote(Severity severity, String arm, String text) {
    /** How bad it is. */
    public enum Severity {
        INFORMATION,
        WARNING,
        ERROR
    }
}
