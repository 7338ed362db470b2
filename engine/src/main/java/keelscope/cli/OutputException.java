package keelscope.cli;

import java.io.PrintWriter;

/** What a command prints does not arrive. The message is one sentence. */
final class OutputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private OutputException() {
        super("What was to be printed could not be written to the end; is the disk full, or has what reads it ended?");
    }

    /**
     * Makes a failure of a command's output known, which Java's writers keep to themselves.
     *
     * @param out the command's output, or what stands for it in a test
     * @throws OutputException if something printed to it, or to standard output, could not be written
     */
    static void requireWritten(PrintWriter out) {
        // What a writer leads to tells it nothing, hence both.
        if (out.checkError() || System.out.checkError()) {
            throw new OutputException();
        }
    }
}
