package keelscope.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * An engine process that trains one arm. It is started with the java and class path this process runs on, holds its
 * standard input open (its end tells the engine that its parent is gone) and writes the arm's run file, which is the only
 * channel between the two.
 */
public final class EngineProcess {

    private EngineProcess() {}

    /**
     * Starts an engine for an arm; it makes {@code folder/ARM.keelrun}.
     *
     * @param experiment the experiment's YAML file
     * @param arm name of the arm
     * @param folder existing folder for the run file, and for {@code ARM.log} with what the process prints
     */
    public static EngineProcess start(Path experiment, String arm, Path folder) {
        throw new UnsupportedOperationException();
    }

    public String arm() {
        throw new UnsupportedOperationException();
    }

    /** The run file; it exists once the engine has made it. */
    public Path runFile() {
        throw new UnsupportedOperationException();
    }

    public long pid() {
        throw new UnsupportedOperationException();
    }

    public boolean isAlive() {
        throw new UnsupportedOperationException();
    }

    /** Completes when the process has ended, with one sentence about its end, empty if it ended as it should. */
    public CompletableFuture<String> ended() {
        throw new UnsupportedOperationException();
    }

    /** Asks the engine to stop; ends the process by force if it is still alive after {@code patience}. Does not block. */
    public void stop(Duration patience) {
        throw new UnsupportedOperationException();
    }

    /** Sends pause, resume, lr, probe or checkpoint; a row in the run file. */
    public void send(String command, String argument) {
        throw new UnsupportedOperationException();
    }
}
