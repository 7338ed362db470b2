package keelscope.device;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@link DeviceChoice} asks of the machine; tests answer with what other machines said. */
public interface Probe {

    /**
     * What a command did.
     *
     * @param status its exit status
     * @param text what it wrote, both streams
     */
    record Output(int status, String text) {}

    /**
     * What a trial of a device came to: a small product and its gradient in a process of its own.
     *
     * @param works whether the result was right
     * @param detail if it works, the version of PyTorch and where its libraries are; else one sentence with the reason
     */
    record Trial(boolean works, String detail) {}

    /** Runs {@code nvidia-smi}; empty where there is none. A run without an end is ended and reported as a failure. */
    Optional<Output> nvidiaSmi(List<String> arguments);

    /**
     * The folder with PyTorch's libraries for CUDA, empty where they are not on this machine.
     *
     * @param flavor DJL's name of the build, for example {@code cu128}
     */
    Optional<Path> cudaLibraries(String flavor);

    /** Tries a device ({@code cpu} or {@code gpu:N}) in a process with these variables added to the environment. */
    Trial tryDevice(String device, Map<String, String> environment);

    /** Operating system and processor as DJL names them, for example {@code linux-x86_64}. */
    String platform();

    /** A variable of this process's environment, empty where it is not set. */
    Optional<String> variable(String name);
}
