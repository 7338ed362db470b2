package keelscope.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import keelscope.generate.Sampling;
import keelscope.generate.TextSampler;
import keelscope.generate.TrainedModel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lets a trained model write. */
@Command(
        name = "sample",
        mixinStandardHelpOptions = true,
        description = "Lets a trained model write text, token by token. The same model, prompt, settings and seed give the same text.")
final class SampleCommand implements Callable<Integer> {

    @Mixin
    private ModelOptions options;

    @Option(names = "--prompt", paramLabel = "TEXT", defaultValue = "", description = "The text to go on with. Default: a new line.")
    private String prompt;

    @Option(names = "--tokens", paramLabel = "N", defaultValue = "400", description = "How many tokens to write. Default: ${DEFAULT-VALUE}.")
    private int tokens;

    @Option(names = "--temperature", paramLabel = "T", defaultValue = "0.8",
            description = "0: always the most likely token; 1: as the model predicts; more: bolder. Default: ${DEFAULT-VALUE}.")
    private double temperature;

    @Option(names = "--top-k", paramLabel = "K", defaultValue = "0", description = "Draw from the K most likely tokens only; 0: from all. Default: ${DEFAULT-VALUE}.")
    private int topK;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Seed of the draws. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Sampling sampling = sampling();
        PrintWriter out = spec.commandLine().getOut();
        try (TrainedModel model = options.open(spec.commandLine().getErr())) {
            model.tokenizer();
            out.print(prompt);
            new TextSampler(model, sampling).write(prompt, tokens, text -> {
                out.print(text);
                OutputException.requireWritten(out);
            });
            out.println();
            out.flush();
        }
        return 0;
    }

    private Sampling sampling() {
        if (tokens < 1) {
            throw new ParameterException(spec.commandLine(), "--tokens is " + tokens + "; allowed is 1 or more.");
        }
        try {
            return new Sampling(temperature, topK, seed);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }
}
