package keelscope.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import keelscope.experiment.Defaults;
import keelscope.export.ExportException;
import keelscope.generate.GivenText;
import keelscope.generate.LayerRedundancy;
import keelscope.generate.TrainedModel;
import keelscope.runfile.Failure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what each sub-layer of a trained model is worth. */
@Command(
        name = "redundancy",
        mixinStandardHelpOptions = true,
        description = "Says what each sub-layer of a trained model is worth: by how much the perplexity of a text grows without it. Near 0 it is"
                + " redundant.")
final class RedundancyCommand implements Callable<Integer> {
    private static final int BAR = 30;

    @Mixin
    private ModelOptions options;

    @Parameters(index = "1", paramLabel = "TEXT",
            description = "A file or folder of text (.txt, .md, .jsonl, also .gz or .zst), or sample for the text Keelscope writes itself.")
    private String text;

    @Option(names = "--tokens", paramLabel = "N", defaultValue = "4096",
            description = "Predict the first N tokens; the model is run over them once for each layer. 0: all. Default: ${DEFAULT-VALUE}.")
    private long tokens;

    @Option(names = "--field", paramLabel = "NAME", defaultValue = Defaults.FIELD, description = "What to read of a line of .jsonl. Default: ${DEFAULT-VALUE}.")
    private String field;

    @Option(names = "--csv", paramLabel = "FILE", description = "Write the table here too, as CSV.")
    private Path csv;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        GivenText given = PerplexityCommand.given(spec, text, field, tokens);
        PrintWriter err = spec.commandLine().getErr();
        try (TrainedModel model = options.open(err)) {
            boolean done = LongTask.run("Redundancy", err, progress -> {
                LayerRedundancy result = LayerRedundancy.of(model, given, progress);
                print(result, spec.commandLine().getOut());
                if (csv != null) {
                    write(result);
                }
            });
            return done ? 0 : LongTask.CANCELLED;
        }
    }

    private static String kind(int l) {
        return l % 2 == 0 ? "attention" : "feed-forward";
    }

    private static void print(LayerRedundancy result, PrintWriter out) {
        int layers = result.without().size();
        double most = 0;
        for (int l = 0; l < layers; l++) {
            double delta = result.delta(l);
            most = Double.isFinite(delta) ? Math.max(most, delta) : most;
        }
        out.printf(Locale.ROOT, "Perplexity of the whole model %.4f on %,d tokens; without sub-layer l:%n%n", result.perplexity(),
                result.whole().count());
        out.printf(Locale.ROOT, "%5s  %-12s  %12s  %12s%n", "l", "", "perplexity", "ΔPPL");
        for (int l = 0; l < layers; l++) {
            double share = most > 0 ? Math.max(0, Math.min(1, result.delta(l) / most)) : 0;
            String line = String.format(Locale.ROOT, "%5d  %-12s  %12.4f  %+12.4f  %s", l, kind(l), result.perplexityWithout(l), result.delta(l),
                    "#".repeat((int) Math.round(share * BAR)));
            out.println(line.stripTrailing());
        }
        out.flush();
    }

    private void write(LayerRedundancy result) {
        StringBuilder table = new StringBuilder("l,kind,perplexity,perplexity_without,delta\r\n");
        for (int l = 0; l < result.without().size(); l++) {
            table.append(l).append(',').append(kind(l)).append(',').append(result.perplexity()).append(',')
                    .append(result.perplexityWithout(l)).append(',').append(result.delta(l)).append("\r\n");
        }
        try {
            Files.writeString(csv, table, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ExportException("The table cannot be written to " + csv + ": " + Failure.reason(e) + "; choose another file.", e);
        }
    }
}
