package keelscope.experiment;

import java.util.Arrays;
import java.util.List;
import keelscope.data.Task;
import keelscope.model.Scheme;

/**
 * Every key of an experiment file, with what the documentation says of it. The reader takes the keys it knows and the
 * nearest one to a misspelt from here, and the table in {@code samples/experiments/README.md} is {@link #markdown()}.
 */
public enum ExperimentKey {
    NAME("", "name", "text", "required", "Shown on screen and used for the run folder; 1 to 120 characters."),
    SEED("", "seed", "whole number", "" + Defaults.SEED, "Seed of the initial values and of the order of batches, the same in every arm."),
    DEVICE("", "device", "`auto`, `cpu`, `gpu`, `gpu:N`", Defaults.DEVICE, "Where to train; `auto` takes a CUDA GPU where PyTorch can use it."),
    THREADS("", "threads", "`auto`, 1 to 1024", "auto", "PyTorch threads of each engine; `auto` chooses by a short trial at start."),
    MODEL("", "model", "section", "required", "Sizes of the model."),
    DATA("", "data", "section", "required", "What is trained on."),
    TRAINING("", "training", "section", "required", "The recipe."),
    DIVERGENCE("", "divergence", "section", "its defaults", "The numbers by which divergence is judged; a share is one of the run's steps unless said otherwise."),
    LOCKSTEP("", "lockstep", "`true`, `false`", "`false`", "Whether arms that run side by side keep to the same step, as for a lecture."),
    MEASURE("", "measure", "section", "its defaults", "What is measured when. Loss, gradient norms and speed are recorded at every step and need no key."),
    ARMS("", "arms", "list of 1 to 64", "required", "What is compared: each arm is one run."),

    LAYERS("model", "layers", "even number, 2 to 65536", "required", "L, the number of sub-layers: attention and feed-forward count one each, so L is twice the number of blocks."),
    D_MODEL("model", "d_model", "2 to 65536", "required", "Width of the residual stream."),
    HEADS("model", "heads", "divides `d_model` into heads of an even size", "required", "Attention heads."),
    FF_HIDDEN("model", "ff_hidden", "1 to 262144", "8/3 `d_model` rounded to a multiple of 8", "Hidden width of the feed-forward."),

    TEXT("data", "text", "`sample` or a path", Defaults.TEXT, "A UTF-8 text file or a folder of them, its path relative to this file; `sample` is the text Keelscope writes itself. Files may be `.jsonl`, and packed as `.gz` or `.zst`."),
    FILES("data", "files", "list of paths", "`text`", "Instead of `text`: several files and folders, read one after another."),
    TASK("data", "task", "a task", "`text`", "Instead of a text: instances made on the fly, with an exact accuracy besides the loss."),
    HOPS("data", "hops", "1 to 64; `lookup` only", "" + Task.LOOKUP.defaultSize(), Task.LOOKUP.sizeMeaning()),
    KINDS("data", "kinds", "1 to 128; `brackets` only", "" + Task.BRACKETS.defaultSize(), Task.BRACKETS.sizeMeaning()),
    MODULUS("data", "modulus", "2 to 1000; `arithmetic` only", "" + Task.ARITHMETIC.defaultSize(), Task.ARITHMETIC.sizeMeaning()),
    TOKENIZER("data", "tokenizer", "`bytes`, `characters`, `bpe:N` or a path", Defaults.TOKENIZER, "What a token is: a byte; a character; a byte pair learnt from the text until there are N tokens (257 to 65536); or what a Hugging Face `tokenizer.json` says."),
    FIELD("data", "field", "text", Defaults.FIELD, "What is read of each document of a `.jsonl` file."),
    INVALID_UTF8("data", "invalid_utf8", "`refuse`, `replace`", "refuse", "What becomes of bytes that are not UTF-8: the text is refused with file and offset, or each invalid stretch becomes U+FFFD and they are counted. A UTF-8 byte-order mark at a file's start is no part of the text; the mark of another encoding is refused."),
    VALIDATION_SHARE("data", "validation_share", "above 0, at most 0.5", "" + Defaults.VALIDATION_SHARE, "Share held out for validation: of a text from its end, of a task's instances by a hash."),
    BATCH("data", "batch", "1 to 65536", "required", "Sequences per step."),
    SEQUENCE("data", "sequence", "1 to 1048576", "required", "Tokens per sequence."),

    STEPS("training", "steps", "1 to " + TrainingSpec.MOST_STEPS, "required", "Optimiser steps."),
    PEAK_LR("training", "peak_lr", "above 0", "required", "Learning rate at the end of the warm-up."),
    WARMUP("training", "warmup", "0 to `steps` − 1", "a tenth of `steps`", "Steps of linear warm-up; 0 is none. A cosine down to `final_lr` follows."),
    FINAL_LR("training", "final_lr", "0 to `peak_lr`", "" + Defaults.FINAL_LR, "Learning rate that the cosine falls to at the end; the last step taken lies just above it."),
    BETA1("training", "beta1", "at least 0, below 1", "" + Defaults.BETA1, "AdamW's decay of the first moment."),
    BETA2("training", "beta2", "at least 0, below 1", "" + Defaults.BETA2, "AdamW's decay of the second moment."),
    ADAM_EPS("training", "adam_eps", "above 0", "" + Defaults.ADAM_EPS, "AdamW's ε."),
    WEIGHT_DECAY("training", "weight_decay", "at least 0", "" + Defaults.WEIGHT_DECAY, "Decoupled weight decay, on 2-D parameters only."),
    CLIP_NORM("training", "clip_norm", "above 0", "" + Defaults.CLIP_NORM, "Total gradient norm above which gradients are scaled down to it."),
    ACCUMULATE("training", "accumulate", "1 to 65536", "" + Defaults.ACCUMULATE, "Batches whose gradients are averaged to one step, so that a step sees `accumulate` × `batch` sequences in the memory of `batch`."),
    PRECISION("training", "precision", "`float32`, `tf32`, `bf16`", Defaults.PRECISION.id(), "On a GPU, in what matrix products and attention are computed; parameters, norms, optimiser and measures stay float32. On the processor all is float32."),
    RECOMPUTE("training", "recompute", "`auto`, `on`, `off`", Defaults.RECOMPUTE.id(), "Whether the backward pass computes activations again instead of keeping them: a third more time, much less memory, the same numbers but for rounding; `auto` does where they would not fit."),
    CHECKPOINT_EVERY("training", "checkpoint_every", "`auto`, `end`, 1 or more", "auto", "Steps from one checkpoint to the next; `auto` writes one after five seconds, then each time the time trained has doubled, at most a minute apart, more seldom where writing takes long; one is written at the end in any case."),
    KEEP_CHECKPOINTS("training", "keep_checkpoints", "1 to 1000", "" + Defaults.KEEP_CHECKPOINTS, "How many of the latest checkpoints are kept, besides that with the lowest validation loss."),

    PROBE_EVERY("measure", "probe_every", "`auto`, at least 1", "auto", "Steps between probes of every sub-layer; `auto` keeps their cost under 5 % of the time."),
    VALIDATE_EVERY("measure", "validate_every", "`never`, at least 1", "" + Defaults.VALIDATE_EVERY, "Steps between validations."),
    VALIDATION_BATCHES("measure", "validation_batches", "1 to 1048576", "" + Defaults.VALIDATION_BATCHES, "Batches per validation, the same ones each time."),

    DIVERGENCE_BLOCK_SHARE("divergence", "block_share", "above 0, at most 1", divergence("block_share"), "Length of a block of steps whose median loss is taken, share of the run."),
    DIVERGENCE_BLOCK_MIN("divergence", "block_min", "5 or more", divergence("block_min"), "Shortest block, steps."),
    DIVERGENCE_BLOCK_MAX("divergence", "block_max", "`block_min` or more", divergence("block_max"), "Longest block, steps."),
    DIVERGENCE_SPIKE_SIGMAS("divergence", "spike_sigmas", "above 0", divergence("spike_sigmas"), "How far above the lowest level so far a loss counts as risen, in standard deviations of the noise."),
    DIVERGENCE_SPIKE_RISE("divergence", "spike_rise", "above 0", divergence("spike_rise"), "The least rise that counts, nats."),
    DIVERGENCE_SPIKE_STEPS("divergence", "spike_steps", "1 or more", divergence("spike_steps"), "Risen steps in a row that make a spike."),
    DIVERGENCE_RETURN_SHARE("divergence", "return_share", "above 0, at most 1", divergence("return_share"), "A spike is over once the loss is down to this share of the rise that counts."),
    DIVERGENCE_PATIENCE_SHARE("divergence", "patience_share", "above 0, at most 1", divergence("patience_share"), "A spike not over after this share of the run is irrecoverable instability."),
    DIVERGENCE_PATIENCE_MIN("divergence", "patience_min", "1 or more", divergence("patience_min"), "The same, steps, for short runs."),
    DIVERGENCE_STAY_FACTOR("divergence", "stay_factor", "above 1", divergence("stay_factor"), "A plateau is judged at step t by the fall over [t / `stay_factor`, t]."),
    DIVERGENCE_PLATEAU_FALL("divergence", "plateau_fall", "above 0, at most 1", divergence("plateau_fall"), "On a plateau the loss falls, per logarithm of steps, by less than this share of its fall in the stretch before."),
    DIVERGENCE_EARLY_SHARE("divergence", "early_share", "above 0, at most 1", divergence("early_share"), "A plateau that begins before this share of the run is far too early."),
    DIVERGENCE_STAY_SHARE("divergence", "stay_share", "above 0, at most 1", divergence("stay_share"), "It is stagnation once it has lasted this share of the run."),
    DIVERGENCE_EDGE_SHARE("divergence", "edge_share", "above 0, at most 1", divergence("edge_share"), "A loss within this share of its start has not begun to fall; one down to it has nothing left to learn."),
    DIVERGENCE_SLOW_FACTOR("divergence", "slow_factor", "above 1", divergence("slow_factor"), "A run lags if a healthy one had reached its level this many times earlier."),
    DIVERGENCE_SLOW_GAP("divergence", "slow_gap", "above 0, at most 1", divergence("slow_gap"), "It lags only if it is behind by more than this share of the healthy run's fall."),
    DIVERGENCE_SLOW_SHARE("divergence", "slow_share", "above 0, at most 1", divergence("slow_share"), "Lagging for this share of the run is degradation."),

    ARM_SCHEME("arms[]", "scheme", "a scheme", "required", "Residual scheme of the arm."),
    ARM_NAME("arms[]", "name", "usable as a file name", "the scheme, numbered if taken", "Name of the arm; no two are the same."),
    ARM_ALPHA("arms[]", "alpha", "above 0 or `trained`; `keel`, `keel_…` and `highway` only", "`layers`", "α, the weight of the residual stream; `trained` makes it a parameter of each sub-layer (not in `highway`, whose gate is trained anyway)."),
    ARM_ALPHA_START("arms[]", "alpha_start", "above 0; with `alpha: trained`", "`layers`", "Where a trained α starts."),
    ARM_PEAK_LR("arms[]", "peak_lr", "above 0", "`training.peak_lr`", "Peak learning rate of this arm."),
    ARM_TRAINING("arms[]", "training", "section with keys of `training`", "the experiment's", "What is different in this arm's recipe; a key left out is as in the experiment, `warmup` for the same share of `steps`.");

    private final String section;
    private final String word;
    private final String allowed;
    private final String otherwise;
    private final String meaning;

    ExperimentKey(String section, String word, String allowed, String otherwise, String meaning) {
        this.section = section;
        this.word = word;
        this.allowed = allowed;
        this.otherwise = otherwise;
        this.meaning = meaning;
    }

    private static String divergence(String word) {
        return DivergenceRule.DEFAULT.values().get(word).toString();
    }

    /** The section it stands in: empty at the top, {@code arms[]} in an entry of {@code arms}. */
    public String section() {
        return section;
    }

    /** The key as written in its section. */
    public String word() {
        return word;
    }

    /** What may be written, in short; Markdown. */
    public String allowed() {
        return allowed;
    }

    /** What holds where the key is left out, or {@code required}; Markdown. */
    public String otherwise() {
        return otherwise;
    }

    /** One sentence about it; Markdown. Fit for a tooltip. */
    public String meaning() {
        return meaning;
    }

    /** Dotted path, for example {@code model.layers} or {@code arms[].scheme}. */
    public String path() {
        return section.isEmpty() ? word : section + "." + word;
    }

    /** What may be written for the key of a section, without Markdown. */
    static String allowed(String section, String word) {
        return Arrays.stream(values())
                .filter(key -> key.section.equals(section) && key.word.equals(word))
                .map(key -> key.allowed.replace("`", ""))
                .findFirst()
                .orElseThrow();
    }

    /** The keys of a section, in the order in which they are documented. */
    static List<String> words(String section) {
        return Arrays.stream(values()).filter(k -> k.section.equals(section)).map(k -> k.word).toList();
    }

    /** All keys as a Markdown table. */
    public static String markdown() {
        StringBuilder table = new StringBuilder("| key | allowed | if left out | meaning |\n|---|---|---|---|\n");
        for (ExperimentKey key : values()) {
            String allowed = key == ARM_SCHEME
                    ? "`" + String.join("`, `", Scheme.ids()) + "`"
                    : key == TASK ? "`" + String.join("`, `", Task.ids()) + "`" : key.allowed;
            table.append("| `").append(key.path()).append("` | ").append(allowed).append(" | ")
                    .append(key.otherwise).append(" | ").append(key.meaning).append(" |\n");
        }
        return table.toString();
    }
}
