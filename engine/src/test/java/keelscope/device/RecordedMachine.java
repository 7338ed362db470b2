package keelscope.device;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A machine that answers with what was given it, in the form in which {@code nvidia-smi} answers. */
final class RecordedMachine implements Probe {

    static final String H200 = "0, GPU-b2acda36-db78-a209-f9ef-d07b4336c449, NVIDIA H200, 580.159.03, 143120, Disabled, 9.0\n";
    static final String RTX_5090 = "0, GPU-2f1cbb90-7e58-4a11-8f2b-1c9d0e5a7742, NVIDIA GeForce RTX 5090, 595.79, 30934, [N/A], 12.0\n";

    private final Map<List<String>, Output> answers = new HashMap<>();
    private final Map<String, String> variables = new HashMap<>();
    private Optional<Path> libraries = Optional.empty();
    private String platform = "linux-x86_64";
    private Trial trial = new Trial(true, "PyTorch 2.7.1 in /cuda");

    /** Devices and environments that were tried. */
    final List<Map.Entry<String, Map<String, String>>> tried = new ArrayList<>();

    RecordedMachine gpus(String lines) {
        return answers(Gpu.QUERY, 0, lines);
    }

    RecordedMachine answers(List<String> arguments, int status, String text) {
        answers.put(arguments, new Output(status, text));
        return this;
    }

    RecordedMachine libraries(String folder) {
        libraries = Optional.of(Path.of(folder));
        return this;
    }

    RecordedMachine platform(String name) {
        platform = name;
        return this;
    }

    RecordedMachine variable(String name, String value) {
        variables.put(name, value);
        return this;
    }

    RecordedMachine trialFails(String reason) {
        trial = new Trial(false, reason);
        return this;
    }

    @Override
    public Optional<Output> nvidiaSmi(List<String> arguments) {
        return Optional.ofNullable(answers.get(arguments));
    }

    @Override
    public Optional<Path> cudaLibraries(String flavor) {
        return libraries;
    }

    @Override
    public Trial tryDevice(String device, Map<String, String> environment) {
        tried.add(Map.entry(device, environment));
        return trial;
    }

    @Override
    public String platform() {
        return platform;
    }

    @Override
    public Optional<String> variable(String name) {
        return Optional.ofNullable(variables.get(name));
    }
}
