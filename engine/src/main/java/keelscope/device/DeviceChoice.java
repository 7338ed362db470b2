package keelscope.device;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Chooses the device an engine trains on.
 *
 * <p>DJL is not left to choose. With PyTorch for processors on the class path it takes that, whatever the machine has; and
 * without, it picks a CUDA build by the CUDA runtime it meets first on the path. On Windows that can be a runtime of many
 * years ago that came with other software, which DJL reports as "No matching cuda flavor … cu065", and then trains on the
 * processor without a word. So the card and its driver are asked here, by {@code nvidia-smi}; the build follows from PyTorch's
 * version; its libraries are named outright (PYTORCH_LIBRARY_PATH wins over the class path); and a trial in a process of its
 * own decides.
 */
public final class DeviceChoice {

    /** CUDA 12 runs on drivers from here on (NVIDIA, "CUDA Compatibility", table 1). */
    private static final int OLDEST_DRIVER = 525;

    /** PyTorch 2.7's build for CUDA 12.8 has code for compute capability 7.5 and newer (its build script's list). */
    private static final int LEAST_CAPABILITY = 75;

    /** Blackwell cards, capability 10.0 and newer, are known to drivers from here on. */
    private static final int BLACKWELL = 100;

    private static final int BLACKWELL_DRIVER = 570;

    private static final Pattern NUMBERED = Pattern.compile("gpu:([0-9]{1,4})");
    private static final String FETCH = "./app/keelscope doctor --fetch-cuda";

    private DeviceChoice() {}

    /**
     * Chooses the device.
     *
     * @param request {@code auto}, {@code cpu}, {@code gpu} or {@code gpu:N}, N counting from 0 as {@code nvidia-smi} does
     * @param machine the machine; {@link MachineProbe} is this one
     * @return the device; the processor where a GPU cannot be used, with the reason in its note
     * @throws IllegalArgumentException if the request is none of the four
     */
    public static Choice choose(String request, Probe machine) {
        String wanted = request.strip().toLowerCase(Locale.ROOT);
        Matcher numbered = NUMBERED.matcher(wanted);
        if (!List.of("auto", "cpu", "gpu").contains(wanted) && !numbered.matches()) {
            throw new IllegalArgumentException("device is '" + request + "', but must be auto, cpu, gpu or gpu:N.");
        }
        if (wanted.equals("cpu")) {
            return cpu("The processor was asked for.");
        }
        try {
            List<Gpu> gpus = visible(present(machine), machine);
            Gpu gpu = numbered.matches() ? numbered(gpus, Integer.parseInt(numbered.group(1))) : best(gpus);
            return tried(gpu, gpus.indexOf(gpu), machine);
        } catch (Unusable e) {
            String asked = wanted.equals("auto") ? "" : "'" + wanted + "' was asked for, but the processor is used. ";
            return cpu(asked + e.getMessage());
        }
    }

    private static Choice cpu(String note) {
        return new Choice("cpu", "cpu", note, Map.of());
    }

    /** Every GPU that the driver reports, divided cards as their instances. */
    private static List<Gpu> present(Probe machine) {
        Probe.Output output = machine.nvidiaSmi(Gpu.QUERY)
                .orElseThrow(() -> new Unusable("No NVIDIA GPU was found (there is no nvidia-smi)."));
        if (output.text().contains("not a valid field")) {
            output = machine.nvidiaSmi(Gpu.SHORT_QUERY).orElse(output);
        }
        List<Gpu> cards = Gpu.parse(output.text());
        if (cards.isEmpty()) {
            String said = firstLine(output.text());
            throw new Unusable(
                    said.contains("No devices were found")
                            ? "The NVIDIA driver is here, but finds no GPU."
                            : "The NVIDIA driver does not answer (nvidia-smi: \"" + said
                                    + "\"): restart the machine, or install the driver again.");
        }
        if (!PyTorchBuild.hasCuda(machine.platform())) {
            throw new Unusable(cards.get(0).name() + " is present but unused: there is no CUDA build of PyTorch "
                    + PyTorchBuild.version() + " for " + machine.platform() + ".");
        }
        List<Gpu> gpus = new ArrayList<>();
        for (Gpu card : cards) {
            if (card.divided()) {
                gpus.addAll(card.instances(
                        machine.nvidiaSmi(List.of("-L")).map(Probe.Output::text).orElse("")));
            } else {
                gpus.add(card);
            }
        }
        if (gpus.isEmpty()) {
            throw new Unusable(cards.get(0).name() + " is present but unused: it is divided (MIG is on) and has no instance;"
                    + " its administrator can make one (nvidia-smi mig -cgi PROFILE -C) or turn MIG off.");
        }
        return gpus;
    }

    /** Those that CUDA_VISIBLE_DEVICES leaves, in its order; all where it is not set. */
    private static List<Gpu> visible(List<Gpu> gpus, Probe machine) {
        Optional<String> set = machine.variable("CUDA_VISIBLE_DEVICES");
        List<Gpu> left = new ArrayList<>();
        if (set.isEmpty()) {
            left.addAll(gpus);
        } else {
            for (String name : set.get().split(",")) {
                String wanted = name.strip();
                Optional<Gpu> named = gpus.stream()
                        .filter(gpu -> !gpu.instance() && wanted.equals(Integer.toString(gpu.index()))
                                || wanted.length() > 4 && gpu.uuid().startsWith(wanted))
                        .findFirst();
                if (named.isEmpty()) {
                    break; // as CUDA does: a name it does not know hides all that follow
                }
                left.add(named.get());
            }
        }
        if (left.isEmpty()) {
            throw new Unusable(gpus.get(0).name() + " is present but unused: CUDA_VISIBLE_DEVICES is '" + set.orElse("")
                    + "', which hides it; unset it.");
        }
        return left;
    }

    private static Gpu numbered(List<Gpu> gpus, int number) {
        if (number >= gpus.size()) {
            throw new Unusable("There "
                    + (gpus.size() == 1 ? "is only gpu:0, " + gpus.get(0).name() : "are gpu:0 to gpu:" + (gpus.size() - 1))
                    + ".");
        }
        return gpus.get(number);
    }

    /** Of those that can be used, the one with the most free memory: a card that another program fills is of little use. */
    private static Gpu best(List<Gpu> gpus) {
        return gpus.stream()
                .filter(gpu -> whyNot(gpu).isEmpty())
                .max(Comparator.comparingLong(Gpu::freeMiB))
                .orElseThrow(() -> new Unusable(whyNot(gpus.get(0))));
    }

    /** Why PyTorch cannot work with this card, empty where it may. */
    private static String whyNot(Gpu gpu) {
        String unused = gpu.name() + " is present but unused: ";
        if (gpu.driverBranch() < OLDEST_DRIVER) {
            return unused + "its driver " + gpu.driver() + " is too old for CUDA 12; install driver " + OLDEST_DRIVER
                    + " or newer.";
        }
        if (gpu.capability() >= BLACKWELL && gpu.driverBranch() < BLACKWELL_DRIVER) {
            return unused + "its driver " + gpu.driver() + " is too old for this card; install driver " + BLACKWELL_DRIVER
                    + " or newer.";
        }
        if (gpu.capability() >= 0 && gpu.capability() < LEAST_CAPABILITY) {
            return unused + "PyTorch " + PyTorchBuild.version() + " has no code for its compute capability "
                    + gpu.capability() / 10 + "." + gpu.capability() % 10 + "; cards from 7.5 on (RTX 20, T4) can be used.";
        }
        return "";
    }

    private static Choice tried(Gpu gpu, int position, Probe machine) {
        String why = whyNot(gpu);
        if (!why.isEmpty()) {
            throw new Unusable(why);
        }
        Path libraries = machine.cudaLibraries(PyTorchBuild.CUDA)
                .orElseThrow(() -> new Unusable(gpu.name() + " is present but unused: PyTorch's libraries for CUDA are not on"
                        + " this machine; fetch them (some gigabytes, once) with " + FETCH + "."));
        Map<String, String> environment = new TreeMap<>();
        environment.put("PYTORCH_VERSION", PyTorchBuild.version());
        environment.put("PYTORCH_FLAVOR", PyTorchBuild.CUDA);
        environment.put("PYTORCH_LIBRARY_PATH", libraries.toString());
        // CUDA's libraries load one another by name.
        String path = machine.platform().startsWith("win") ? "PATH" : "LD_LIBRARY_PATH";
        environment.put(
                path,
                machine.variable(path)
                        .filter(before -> !before.isBlank())
                        .map(before -> libraries + File.pathSeparator + before)
                        .orElse(libraries.toString()));
        // The engine is shown this GPU alone, by its identity: CUDA numbers by speed what nvidia-smi numbers by slot, and sees
        // of a divided card only an instance that is named.
        environment.put("CUDA_VISIBLE_DEVICES", gpu.uuid());
        String device = "gpu:0";
        Probe.Trial trial = machine.tryDevice(device, environment);
        if (!trial.works()) {
            throw new Unusable(gpu.name() + " is present but unused: PyTorch could not use it (" + trial.detail()
                    + "); ./app/keelscope doctor shows more.");
        }
        return new Choice(
                device,
                "gpu:" + position + " " + gpu.name(),
                "Driver " + gpu.driver() + ", " + trial.detail() + "; a trial on it came out right.",
                environment);
    }

    private static String firstLine(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("no answer");
    }

    /** Why no GPU is used, as the sentence that the user reads. */
    private static final class Unusable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unusable(String sentence) {
            super(sentence);
        }
    }
}
