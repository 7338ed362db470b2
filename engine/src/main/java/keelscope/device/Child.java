package keelscope.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A command that is run to its end, or ended when it takes too long. */
final class Child {

    /** Exit status reported for a command that had to be ended. */
    static final int ENDED = -1;

    private Child() {}

    /**
     * Runs a command with nothing on its standard input and collects what it writes.
     *
     * @param environment variables set besides those of this process
     * @throws IOException if the command cannot be started
     */
    static Probe.Output run(List<String> command, Map<String, String> environment, Duration patience) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        CompletableFuture<String> text = CompletableFuture.supplyAsync(() -> {
            try {
                return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try {
            if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return new Probe.Output(process.exitValue(), text.join());
            }
            return new Probe.Output(ENDED, "no answer within " + patience.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Probe.Output(ENDED, "interrupted");
        } finally {
            process.destroyForcibly();
        }
    }
}
