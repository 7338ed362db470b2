package keelscope.device;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The device that an engine process uses.
 *
 * @param device the device as PyTorch numbers it in a process with {@code environment}: {@code cpu} or {@code gpu:N}; such a
 *     process sees one GPU, so N is 0 whatever its number on the machine
 * @param description what it is, for the status bar and the run file: {@code cpu}, or {@code gpu:1 NVIDIA H200} with its number
 *     on the machine
 * @param note why this one, one or two sentences; where a GPU is present but unused, why, and what to do
 * @param environment variables an engine process must be started with, added to those of its parent; they carry the choice
 *     itself too, for {@link #inherited}
 */
public record Choice(String device, String description, String note, Map<String, String> environment) {

    private static final String DEVICE = "KEELSCOPE_DEVICE";
    private static final String DESCRIPTION = "KEELSCOPE_DEVICE_DESCRIPTION";
    private static final String NOTE = "KEELSCOPE_DEVICE_NOTE";

    public Choice {
        if (!device.matches("cpu|gpu:[0-9]+")) {
            throw new IllegalArgumentException("device is '" + device + "', but must be cpu or gpu:N.");
        }
        Map<String, String> all = new TreeMap<>(environment);
        all.put(DEVICE, device);
        all.put(DESCRIPTION, description);
        all.put(NOTE, note);
        environment = Map.copyOf(all);
    }

    /**
     * The choice with which this process was started, empty if it was started without one.
     *
     * @param environment the environment of this process
     */
    public static Optional<Choice> inherited(Map<String, String> environment) {
        String device = environment.getOrDefault(DEVICE, "");
        if (device.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Choice(
                device, environment.getOrDefault(DESCRIPTION, device), environment.getOrDefault(NOTE, ""), Map.of()));
    }

    /** The choice with which this process was started; the processor for one that was started by hand without any. */
    public static Choice ofThisProcess() {
        return inherited(System.getenv())
                .orElseGet(() -> new Choice("cpu", "cpu", "No device was chosen for this process.", Map.of()));
    }

    public boolean isGpu() {
        return !device.equals("cpu");
    }

    /** N of {@code gpu:N}, as DJL's {@code Device.gpu(N)} takes it; −1 for the processor. */
    public int gpuIndex() {
        return isGpu() ? Integer.parseInt(device.substring("gpu:".length())) : -1;
    }
}
