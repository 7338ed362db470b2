package keelscope.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import keelscope.model.Architecture.Stack;

/** Writes the step program for an architecture: {@code step.py} with the sizes and the scheme's residual rules filled in. */
final class ProgramText {

    /** ε of every RMSNorm. */
    static final double NORM_EPS = 1e-6;

    /** Base of the rotary position embedding. */
    static final double ROPE_BASE = 10000;

    /** PyTorch's number for the type bfloat16. */
    private static final int BFLOAT16 = 15;

    /** The product of the first matrix and the transpose of the second by oneDNN, which copies the first where it is not contiguous. */
    private static final String ONE_DNN =
            "ops.mkldnn._linear_pointwise(%s, None, \"none\", annotate(List[Optional[number]], []), \"\")";

    /** From this B · T · D² on its products of activations with weights are the faster ones. */
    private static final int LITTLE_WORK = 1 << 19;

    /** And those of activations with gradients, in spite of the copy, which is made of the narrower one. */
    private static final String OUTER = "    if self.shape[2] >= " + (1 << 22) + ":\n"
            + "      if g.size(1) > x.size(1):\n"
            + "        return " + ONE_DNN.formatted("x.t(), g.t()") + ".t().contiguous()\n"
            + "      return " + ONE_DNN.formatted("g.t(), x.t()") + "\n"
            + "    return torch.mm(g.t(), x)\n";

    private ProgramText() {}

    /** The text of the module {@code Program}; {@code bfloat16} for products in that precision. */
    static String of(Architecture model, boolean bfloat16, boolean oneDnn) {
        Map<String, String> methods = new LinkedHashMap<>(); // body of a rule's method -> its name
        List<String> names = new ArrayList<>();
        for (int l = 0; l < model.layers(); l++) {
            String kind = l % 2 == 0 ? "attention_rule_" : "feed_forward_rule_";
            String body = body(model, l);
            names.add(methods.computeIfAbsent(body, b -> kind + methods.size()));
        }
        String rules = methods.entrySet().stream()
                .map(m -> "  def " + m.getValue() + "(self, p: List[Tensor], l: int, x: Tensor, watch: bool) -> Tensor:\n" + m.getKey())
                .collect(Collectors.joining("\n"));
        return template()
                .replace("$RULES", rules)
                .replace("$BLOCKS", blocks(names))
                .replace("$SEGMENT_BLOCKS", segmentBlocks(names))
                .replace("$BY_HAND", ByHand.rules(model))
                .replace("$UP", product("x, w.t()", oneDnn ? "x, w" : "", LITTLE_WORK))
                .replace("$DOWN", product("g, w", oneDnn ? "g, w.t()" : "", LITTLE_WORK))
                .replace("$OUTER", oneDnn ? OUTER : product("g.t(), x", "", 0))
                .replace("$FORWARD_BLOCKS", ByHand.forwardBlocks(model))
                .replace("$BACKWARD_BLOCKS", ByHand.backwardBlocks(model))
                .replace("$BLOCK_COUNT", Integer.toString(model.layers() / 2))
                .replace("$VOCABULARY", Integer.toString(model.vocabulary()))
                .replace("$ONE_OVER_D", Double.toString(1.0 / model.dModel()))
                .replace("$HALF_HEAD_DIM", Integer.toString(model.dModel() / model.heads() / 2))
                .replace("$NARROWED", bfloat16 ? "x.to(" + BFLOAT16 + ")" : "x")
                .replace("$WIDENED", bfloat16 ? "x.float()" : "x")
                .replace("$EPS", Double.toString(NORM_EPS))
                .replace("$ROPE_BASE", Double.toString(ROPE_BASE))
                .replace("$HEADS", Integer.toString(model.heads()))
                .replace("$HEAD_DIM", Integer.toString(model.dModel() / model.heads()))
                .replace("$D", Integer.toString(model.dModel()));
    }

    /** The body of a method that multiplies by PyTorch's own product or, where it pays, by oneDNN's. */
    private static String product(String own, String oneDnn, int from) {
        return (oneDnn.isEmpty() ? "" : "    if self.shape[2] >= " + from + ":\n      return " + ONE_DNN.formatted(oneDnn) + "\n")
                + "    return torch.mm(" + own + ")\n";
    }

    /** Consecutive blocks that follow the same two rules become one loop. */
    private static String blocks(List<String> names) {
        return loops(names, "%d", "%d", "      if skip != %2$s:\n        x = self.%1$s(p, %2$s, x, watch)\n");
    }

    /** The same, cut to the blocks b0 to b1 − 1, without one to be left out. */
    private static String segmentBlocks(List<String> names) {
        return loops(names, "max(b0, %d)", "min(b1, %d)", "      x = self.%1$s(p, %2$s, x, watch)\n");
    }

    private static String loops(List<String> names, String low, String high, String line) {
        StringBuilder text = new StringBuilder();
        int blocks = names.size() / 2;
        for (int b = 0; b < blocks; ) {
            int end = b;
            while (end < blocks
                    && names.get(2 * end).equals(names.get(2 * b))
                    && names.get(2 * end + 1).equals(names.get(2 * b + 1))) {
                end++;
            }
            text.append("    for b in range(").append(String.format(Locale.ROOT, low, b)).append(", ").append(String.format(Locale.ROOT, high, end)).append("):\n");
            for (int i = 0; i < 2; i++) {
                text.append(String.format(Locale.ROOT, line, names.get(2 * b + i), "2 * b" + (i == 0 ? "" : " + 1")));
            }
            b = end;
        }
        return text.toString().stripTrailing();
    }

    private static String body(Architecture model, int l) {
        SubLayerRule rule = model.rule(l);
        List<String> lines = new ArrayList<>();
        lines.add("i = self.first[l]");
        List<Stack> stacks = model.stacks(l);
        for (int i = 0; i < stacks.size(); i++) {
            lines.add(local(stacks.get(i)) + " = p[i + " + i + "]");
        }
        if (!rule.trainedAlpha()) {
            lines.add("alpha = " + rule.alpha());
        }
        for (String assignment : rule.let().split(";")) {
            if (!assignment.isBlank()) {
                lines.add(expand(assignment.strip(), rule, l));
            }
        }
        lines.add("carry = " + expand(rule.carry(), rule, l));
        lines.add("transform = " + expand(rule.transform(), rule, l));
        lines.add("if watch:");
        lines.add("  self.watch(x, carry, transform, " + passedOn(rule) + ", "
                + (rule.outerNorm() ? "outer_norm.detach()" : "self.constants[3]") + ")");
        if (rule.gate()) {
            lines.add("  self.watch_gate(T)");
        }
        lines.add("return " + expand(rule.outerNorm() ? "outer(carry + transform)" : "carry + transform", rule, l));
        return lines.stream().map(line -> "    " + line + "\n").collect(Collectors.joining());
    }

    /** k as a (B, T) or (1, 1) tensor. */
    static String passedOn(SubLayerRule rule) {
        return switch (rule.k()) {
            case "1" -> "self.constants[2]";
            case "alpha" -> rule.trainedAlpha()
                    ? "alpha.detach().view([1, 1])"
                    : "torch.mul(self.constants[2], alpha)";
            default -> "(" + rule.k() + ").detach()";
        };
    }

    /** The local name of a stack's tensor: wqkv, w13, inner_norm, W_T, … */
    static String local(Stack stack) {
        String name = stack.parts().get(0).name();
        String[] words = name.split("\\.");
        return switch (words[3]) {
            case "wq" -> "wqkv";
            case "w1" -> "w13";
            case "gate" -> words[4].equals("weight") ? "W_T" : "b_T";
            case "input_scale" -> "beta";
            default -> words[3];
        };
    }

    /** A formula's F, inner, outer, sigmoid and linear as calls of the program. */
    private static String expand(String expression, SubLayerRule rule, int l) {
        String branch = l % 2 == 1
                ? "self.feed_forward(w13, w2, "
                : rule.headNorms()
                        ? "self.attention_normed(wqkv, wo, q_norm, k_norm, v_norm, "
                        : "self.attention(wqkv, wo, ";
        return expression
                .replaceAll("\\bF\\(", branch)
                .replaceAll("\\binner\\(", "self.rms_norm(inner_norm, ")
                .replaceAll("\\bouter\\(", "self.rms_norm(outer_norm, ")
                .replaceAll("(?<!\\.)\\b(sigmoid|linear)\\(", "torch.$1(");
    }

    private static String template() {
        try (InputStream in = ProgramText.class.getResourceAsStream("step.py")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
