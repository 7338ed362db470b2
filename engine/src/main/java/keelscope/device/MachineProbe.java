package keelscope.device;

import ai.djl.util.Utils;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import keelscope.process.JavaCommand;

/** The machine this runs on. Trials of a device are remembered while this object lives, since each starts a process. */
public final class MachineProbe implements Probe {

    /** Where {@code nvidia-smi} is when it is not on the path: under Windows' Linux. */
    private static final List<String> NVIDIA_SMI = List.of("nvidia-smi", "/usr/lib/wsl/lib/nvidia-smi");

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Loading CUDA's libraries from a cold disk is what takes long. */
    private static final Duration TRIAL_PATIENCE = Duration.ofSeconds(90);

    private final Map<String, Trial> trials = new ConcurrentHashMap<>();

    @Override
    public Optional<Output> nvidiaSmi(List<String> arguments) {
        for (String program : NVIDIA_SMI) {
            List<String> command = new ArrayList<>(List.of(program));
            command.addAll(arguments);
            try {
                return Optional.of(Child.run(command, Map.of(), PATIENCE));
            } catch (IOException e) {
                // Not there under this name.
            }
        }
        return Optional.empty();
    }

    @Override
    public Optional<Path> cudaLibraries(String flavor) {
        String torch = System.mapLibraryName("torch_cuda");
        Optional<Path> named = variable("PYTORCH_LIBRARY_PATH").map(Path::of);
        if (named.isPresent() && Files.exists(named.get().resolve(torch))) {
            return named;
        }
        Path cache = cacheFolder();
        if (!Files.isDirectory(cache)) {
            return Optional.empty();
        }
        String pattern = PyTorchBuild.version() + "*-" + flavor + "-" + platform();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(cache, pattern)) {
            for (Path folder : folders) {
                if (Files.exists(folder.resolve(torch))) {
                    return Optional.of(folder.toAbsolutePath());
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Trial tryDevice(String device, Map<String, String> environment) {
        return trials.computeIfAbsent(device + environment, key -> trial(device, environment));
    }

    private static Trial trial(String device, Map<String, String> environment) {
        try {
            return result(Child.run(JavaCommand.of(DeviceTrial.class, device), environment, TRIAL_PATIENCE));
        } catch (IOException e) {
            return new Trial(false, "its process could not be started: " + e.getMessage());
        }
    }

    /** What the process of a trial came to, by the line it wrote. */
    static Trial result(Output output) {
        for (String line : output.text().lines().toList()) {
            if (line.startsWith(DeviceTrial.RIGHT)) {
                return new Trial(true, line.substring(DeviceTrial.RIGHT.length()));
            } else if (line.startsWith(DeviceTrial.WRONG)) {
                return new Trial(false, line.substring(DeviceTrial.WRONG.length()));
            }
        }
        return new Trial(
                false,
                output.status() == Child.ENDED
                        ? output.text()
                        : "its process ended with status " + output.status() + " and no result");
    }

    /**
     * Fetches PyTorch's libraries for CUDA into DJL's cache, then tries them.
     *
     * @param progress takes DJL's lines about what it fetches
     */
    public Trial fetchCudaLibraries(Consumer<String> progress) {
        // With a build for processors on the class path DJL would take that and fetch nothing.
        List<String> command =
                JavaCommand.of(JavaCommand.classPathWithout("pytorch-native-"), DeviceTrial.class, "gpu:0");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PYTORCH_VERSION", PyTorchBuild.version());
        builder.environment().put("PYTORCH_FLAVOR", PyTorchBuild.CUDA);
        builder.environment().remove("PYTORCH_LIBRARY_PATH");
        builder.environment().remove("DJL_OFFLINE");
        StringBuilder text = new StringBuilder();
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    text.append(line).append('\n');
                    if (line.contains("Downloading ")) {
                        progress.accept(line.substring(line.indexOf("Downloading ")));
                    }
                }
            } finally {
                process.destroy();
            }
            return result(new Output(process.waitFor(), text.toString()));
        } catch (IOException e) {
            return new Trial(false, "its process could not be started: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Trial(false, "interrupted");
        }
    }

    /** DJL's folder of PyTorch's libraries. */
    static Path cacheFolder() {
        return Utils.getEngineCacheDir("pytorch");
    }

    @Override
    public String platform() {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch", "").replace("amd64", "x86_64");
        return (system.startsWith("win") ? "win" : system.startsWith("mac") ? "osx" : "linux") + "-" + processor;
    }

    @Override
    public Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name));
    }
}
