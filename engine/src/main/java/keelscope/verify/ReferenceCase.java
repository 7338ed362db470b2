package keelscope.verify;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A reference vector: a small model, its input, and what an independent float64 implementation computed. */
record ReferenceCase(@JsonProperty("case") Given given, Expected expected) {

    private static final ObjectMapper JSON =
            new ObjectMapper().configure(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES, true);

    /** The model and its input; {@code alpha} is null where the scheme's own is used, {@code training} where there is none. */
    record Given(
            String scheme,
            int blocks,
            @JsonProperty("d_model") int dModel,
            int heads,
            @JsonProperty("ff_hidden") int ffHidden,
            int vocab,
            int batch,
            @JsonProperty("seq_len") int sequence,
            Double alpha,
            @JsonProperty("norm_eps") double normEps,
            @JsonProperty("rope_base") double ropeBase,
            int[][] ids,
            int[][] targets,
            Training training) {}

    /** A training run from the same start. */
    record Training(
            int steps,
            @JsonProperty("peak_lr") double peakLr,
            @JsonProperty("warmup_steps") int warmup,
            @JsonProperty("final_lr") double finalLr,
            double beta1,
            double beta2,
            @JsonProperty("adam_eps") double adamEps,
            @JsonProperty("weight_decay") double weightDecay,
            @JsonProperty("clip_norm") double clipNorm) {}

    /** What must come out. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Expected(
            double loss,
            @JsonProperty("logits_first_row") double[] logits,
            @JsonProperty("grad_norm") Map<String, Double> gradNorm,
            @JsonProperty("grad_norm_total") double gradNormTotal,
            @JsonProperty("output_grad_norm") double outputGradNorm,
            List<Map<String, Double>> sublayers,
            List<TrainingStep> training) {}

    record TrainingStep(double lr, double loss, @JsonProperty("grad_norm") double gradNorm) {}

    /**
     * Reads a vector.
     *
     * @throws VerificationException if the file is missing or not a reference vector
     */
    static ReferenceCase read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new VerificationException("There is no file " + file + "; give a reference vector (.json) or a folder of them.");
        }
        try {
            ReferenceCase read = JSON.readValue(file.toFile(), ReferenceCase.class);
            if (read == null || read.given == null || read.expected == null) {
                throw new VerificationException(file + " is not a reference vector: it needs the objects \"case\" and \"expected\".");
            }
            return read;
        } catch (JacksonException e) {
            String where = e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr();
            throw new VerificationException(file + " is not a reference vector" + where + ": " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new VerificationException(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
