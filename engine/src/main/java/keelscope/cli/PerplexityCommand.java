package keelscope.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import keelscope.experiment.Defaults;
import keelscope.generate.GivenText;
import keelscope.generate.Perplexity;
import keelscope.generate.TrainedModel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says how well a trained model predicts a text. */
@Command(
        name = "perplexity",
        mixinStandardHelpOptions = true,
        description = "Says how well a trained model predicts a text: each token from those before it, in windows as long as in training.")
final class PerplexityCommand implements Callable<Integer> {

    @Mixin
    private ModelOptions options;

    @Parameters(index = "1", paramLabel = "TEXT",
            description = "A file or folder of text (.txt, .md, .jsonl, also .gz or .zst), or sample for the text Keelscope writes itself.")
    private String text;

    @Option(names = "--tokens", paramLabel = "N", defaultValue = "0", description = "Predict the first N tokens only; 0: all. Default: ${DEFAULT-VALUE}.")
    private long tokens;

    @Option(names = "--field", paramLabel = "NAME", defaultValue = Defaults.FIELD, description = "What to read of a line of .jsonl. Default: ${DEFAULT-VALUE}.")
    private String field;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        GivenText given = given(spec, text, field, tokens);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try (TrainedModel model = options.open(err)) {
            boolean done = LongTask.run("Predicting", err, progress -> {
                Perplexity result = Perplexity.of(model, given, progress);
                out.printf(Locale.ROOT, "perplexity     %.4f%n", result.perplexity());
                out.printf(Locale.ROOT, "loss           %.4f nats a token%n", result.loss());
                result.bitsPerByte().ifPresent(bits -> out.printf(Locale.ROOT, "bits per byte  %.4f%n", bits));
                out.printf(Locale.ROOT, "accuracy       %.1f %% of tokens were the most likely one%n",
                        100.0 * result.evaluation().correct() / result.evaluation().count());
                out.printf(Locale.ROOT, "tokens         %,d predicted, %s%n", result.evaluation().count(),
                        result.whole() ? "to the end of the text" : "from the start of the text");
                out.flush();
            });
            return done ? 0 : LongTask.CANCELLED;
        }
    }

    static GivenText given(CommandSpec spec, String text, String field, long tokens) {
        try {
            return GivenText.of(text, field, tokens);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }
}
