package keelscope.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import keelscope.device.Checkup;
import keelscope.device.Finding;
import keelscope.device.MachineProbe;
import keelscope.device.Probe;
import keelscope.process.RunFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says what the program would use on this machine and why, and what to do about what is missing. */
@Command(
        name = "doctor",
        description = "Checks this machine: Java, PyTorch, devices, memory, disk, display. Exits 1 if something fails.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print the findings as JSON.")
    private boolean json;

    @Option(
            names = "--fetch-cuda",
            description = "First fetch PyTorch's libraries for CUDA (some gigabytes, once), for an NVIDIA GPU.")
    private boolean fetchCuda;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        MachineProbe machine = new MachineProbe();
        if (fetchCuda) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("Fetching PyTorch's libraries for CUDA; this can take many minutes ...");
            Probe.Trial trial = machine.fetchCudaLibraries(err::println);
            if (!trial.works()) {
                err.println("PyTorch's libraries for CUDA could not be fetched from publish.djl.ai, or do not work here ("
                        + trial.detail() + ").");
                return 1;
            }
        }
        List<Finding> findings = Checkup.of(machine, RunFolder.home());
        out.print(json ? asJson(findings) : asText(findings));
        out.flush();
        return isSound(findings) ? 0 : 1;
    }

    private static boolean isSound(List<Finding> findings) {
        return findings.stream().noneMatch(finding -> finding.level() == Finding.Level.FAIL);
    }

    /** A line each, aligned; what to do stands below its finding. */
    static String asText(List<Finding> findings) {
        int width = findings.stream().mapToInt(finding -> finding.topic().length()).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            String level = finding.level().name().toLowerCase(Locale.ROOT);
            text.append(String.format(Locale.ROOT, "%-4s  %-" + width + "s  %s%n", level, finding.topic(), finding.text()));
            if (!finding.remedy().isEmpty()) {
                text.append(String.format(Locale.ROOT, "%" + (width + 8) + "s%s%n", "", "→ " + finding.remedy()));
            }
        }
        return text.toString();
    }

    static String asJson(List<Finding> findings) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode report = mapper.createObjectNode();
        report.put("sound", isSound(findings));
        ArrayNode list = report.putArray("findings");
        for (Finding finding : findings) {
            list.addObject()
                    .put("level", finding.level().name().toLowerCase(Locale.ROOT))
                    .put("topic", finding.topic())
                    .put("text", finding.text())
                    .put("remedy", finding.remedy());
        }
        return mapper.writeValueAsString(report) + System.lineSeparator();
    }
}
