package keelscope.cli;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.types.DataType;
import ai.djl.pytorch.jni.JniUtils;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import keelscope.verify.Quantity;
import keelscope.verify.VerificationException;
import keelscope.verify.Verifier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs reference vectors and prints each quantity's worst relative error; exit status 1 on a miss. */
@Command(
        name = "verify",
        description = "Runs reference vectors through the engine and prints each quantity's worst relative error; exits 1 on a miss.",
        mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {

    @Parameters(arity = "1..*", paramLabel = "FILE-OR-DIR", description = "Reference vectors (.json), or folders of them.")
    private List<Path> paths;

    @Option(names = "--float64", description = "Compute in float64, to tell rounding from a wrong formula.")
    private boolean float64;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Engine.getEngine("PyTorch");
        JniUtils.setNumThreads(1); // the models are small: a second thread only waits
        PrintWriter out = spec.commandLine().getOut();
        int missed = 0;
        List<Path> files = files();
        for (Path file : files) {
            List<Quantity> quantities = Verifier.verify(file, Device.cpu(), float64 ? DataType.FLOAT64 : DataType.FLOAT32);
            boolean met = quantities.stream().allMatch(Quantity::met);
            missed += met ? 0 : 1;
            out.printf("%s  %s%n", met ? "ok  " : "MISS", file.getFileName());
            for (Quantity q : quantities) {
                out.printf(Locale.ROOT, "      %-20s %5d value%s worst relative error %8.1e of %.0e allowed%s%s%n", q.name(), q.values(),
                        q.values() == 1 ? ", " : "s,", q.worst(), q.tolerance(), q.where().isEmpty() ? "" : ", " + q.where(),
                        q.met() ? "" : "   <-- missed");
            }
            out.flush();
        }
        out.printf("%d of %d reference vectors met.%n", files.size() - missed, files.size());
        out.flush();
        return missed == 0 ? 0 : 1;
    }

    private List<Path> files() {
        return paths.stream().flatMap(VerifyCommand::expand).toList();
    }

    private static Stream<Path> expand(Path path) {
        if (!Files.isDirectory(path)) {
            return Stream.of(path);
        }
        try (Stream<Path> list = Files.list(path)) {
            List<Path> vectors = list.filter(p -> p.toString().endsWith(".json")).sorted().toList();
            if (vectors.isEmpty()) {
                throw new VerificationException("There is no .json file in the folder " + path + "; give reference vectors or a folder of them.");
            }
            return vectors.stream();
        } catch (IOException e) {
            throw new VerificationException("The folder " + path + " cannot be read: " + e.getMessage(), e);
        }
    }
}
