package keelscope.runfile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/** A process that writes steps to a run file as fast as it can and prints the number of each step once it is committed. */
final class WritingProcess implements AutoCloseable {
    final Process process;
    private final BufferedReader out;

    private WritingProcess(Process process) {
        this.process = process;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Starts it; {@code steps} is how many it writes, if it is not asked to stop, before it closes the file; then it waits for the end of
     * its input.
     */
    static WritingProcess start(Path file, int steps) throws IOException {
        return new WritingProcess(new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                        "-cp", System.getProperty("java.class.path"), WritingProcess.class.getName(), file.toString(),
                        Integer.toString(steps)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Reads until the process has committed {@code step}; gives the last step it is known to have committed. */
    int await(int step) throws IOException {
        String line = "";
        while ((line = out.readLine()) != null) {
            if (Integer.parseInt(line) >= step) {
                return Integer.parseInt(line);
            }
        }
        throw new IOException("The process ended before step " + step + ".");
    }

    /** Reads what it prints from now on and throws it away: else it would wait for a reader once the pipe between the two is full. */
    void ignoreTheRest() {
        Thread reading = new Thread(() -> {
            try {
                while (out.readLine() != null) {
                    // told to nobody
                }
            } catch (IOException e) {
                // the process was ended, and its stream closed
            }
        }, "reading a writing process");
        reading.setDaemon(true);
        reading.start();
    }

    /** Kills it (signal 9) and reads what it had printed; gives the last step it told of, or {@code known}. */
    int kill(int known) throws IOException, InterruptedException {
        // By its handle: Process.destroyForcibly would close the stream with what was printed.
        process.toHandle().destroyForcibly();
        process.waitFor();
        int last = known;
        String line;
        while ((line = out.readLine()) != null) {
            // the last line may be cut short, and then is a smaller number
            last = line.isEmpty() ? last : Math.max(last, Integer.parseInt(line));
        }
        return last;
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[0]);
        int steps = Integer.parseInt(args[1]);
        try (RunWriter writer = Files.exists(file) ? RunWriter.reopen(file) : RunWriter.create(file, Sample.info())) {
            writer.state(RunStatus.RUNNING, "");
            boolean stopped = false;
            for (int step = writer.lastStep() + 1; step < steps && !stopped; step++) {
                writer.step(Sample.step(step), Sample.layers(step),
                        step % 50 == 0 ? OptionalDouble.of(Sample.loss(step)) : OptionalDouble.empty());
                System.out.println(step);
                for (Command command : writer.pendingCommands()) {
                    writer.taken(command, step, "Took " + command.name() + ".");
                    stopped |= command.name().equals("stop");
                }
            }
            writer.state(RunStatus.FINISHED, "");
        }
        while (System.in.read() >= 0) {
            // stays until its parent lets go
        }
    }
}
