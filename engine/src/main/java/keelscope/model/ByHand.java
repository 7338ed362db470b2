package keelscope.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import keelscope.model.Architecture.Stack;

/**
 * Writes, for residual rules of the forms below, a forward and a backward pass that need no autograd. A form is recognised by
 * the rule's own expressions, so the rule stays the one definition of its scheme; where a rule has another form, the whole
 * scheme is trained by autograd.
 */
final class ByHand {

    /**
     * What a rule is made of.
     *
     * @param carriesNormed whether inner(x), not x, is carried
     * @param scaled whether α multiplies the carry
     */
    private record Form(boolean carriesNormed, boolean scaled) {
        static Optional<Form> of(SubLayerRule rule) {
            if (rule.headNorms()) {
                return Optional.empty();
            }
            String form = rule.let() + " | " + rule.carry() + " | " + rule.transform();
            return switch (form) {
                case " | x | F(x)", " | x | F(inner(x))" -> Optional.of(new Form(false, false));
                case " | alpha * x | F(x)",
                        " | alpha * x | F(inner(x))",
                        " | alpha * x | F(beta * x)",
                        " | alpha * x | F(beta * inner(x))" -> Optional.of(new Form(false, true));
                case "u = inner(x) | u | F(u)" -> Optional.of(new Form(true, false));
                case "h = inner(x); T = sigmoid(linear(h, W_T, b_T)) | (1. - T) * x | T * F(h)" ->
                    Optional.of(new Form(false, false));
                default -> Optional.empty();
            };
        }
    }

    private ByHand() {}

    /** Whether every sub-layer's rule has a known form. */
    static boolean knows(Architecture model) {
        for (int l = 0; l < model.layers(); l++) {
            if (Form.of(model.rule(l)).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** The methods of every distinct rule. */
    static String rules(Architecture model) {
        if (!knows(model)) {
            return "";
        }
        Map<String, String> bodies = new LinkedHashMap<>();
        for (int l = 0; l < model.layers(); l++) {
            bodies.putIfAbsent(key(model, l), methods(model, l));
        }
        Map<String, String> names = names(model);
        return bodies.entrySet().stream()
                .map(entry -> entry.getValue().replace("NAME", names.get(entry.getKey())))
                .collect(Collectors.joining("\n"));
    }

    static String forwardBlocks(Architecture model) {
        return blocks(model, (low, high) -> "    for b in range(" + low + ", " + high + "):\n", (attention, feedForward) ->
                "      x = self." + attention + "_forward(2 * b, x, watch)\n"
                        + "      x = self." + feedForward + "_forward(2 * b + 1, x, watch)\n", false);
    }

    static String backwardBlocks(Architecture model) {
        return blocks(model, (low, high) -> "    for k in range(" + high + " - " + low + "):\n      b = " + high + " - 1 - k\n",
                (attention, feedForward) -> "      g = self." + feedForward + "_backward(2 * b + 1, g, watch)\n"
                        + "      g = self." + attention + "_backward(2 * b, g, watch)\n", true);
    }

    /** A loop for each run of blocks with the same two rules, upwards or downwards, cut to the blocks b0 to b1 − 1. */
    private static String blocks(
            Architecture model, BinaryOperator<String> loop, BinaryOperator<String> body, boolean downwards) {
        if (!knows(model)) {
            return "    b = 0";
        }
        Map<String, String> names = names(model);
        List<String> runs = new ArrayList<>();
        int blocks = model.layers() / 2;
        for (int b = 0; b < blocks; ) {
            String attention = names.get(key(model, 2 * b));
            String feedForward = names.get(key(model, 2 * b + 1));
            int end = b;
            while (end < blocks
                    && names.get(key(model, 2 * end)).equals(attention)
                    && names.get(key(model, 2 * end + 1)).equals(feedForward)) {
                end++;
            }
            String text = loop.apply("max(b0, " + b + ")", "min(b1, " + end + ")") + body.apply(attention, feedForward);
            runs.add(downwards ? 0 : runs.size(), text);
            b = end;
        }
        return String.join("", runs).stripTrailing();
    }

    private static Map<String, String> names(Architecture model) {
        Map<String, String> names = new LinkedHashMap<>();
        for (int l = 0; l < model.layers(); l++) {
            names.putIfAbsent(key(model, l), (l % 2 == 0 ? "attention_" : "feed_forward_") + names.size());
        }
        return names;
    }

    private static String key(Architecture model, int l) {
        return (l % 2 == 0 ? "attention " : "feed-forward ") + model.rule(l);
    }

    private static String methods(Architecture model, int l) {
        SubLayerRule rule = model.rule(l);
        Form form = Form.of(rule).orElseThrow();
        String branch = l % 2 == 0 ? "attention" : "feed_forward";
        String weights = l % 2 == 0 ? "wqkv, wo" : "w13, w2";
        List<Stack> stacks = model.stacks(l);
        Map<String, Integer> index = new LinkedHashMap<>();
        List<String> locals = new ArrayList<>();
        for (Stack stack : stacks) {
            locals.add(ProgramText.local(stack) + " = self.weights[i + " + index.size() + "]");
            index.put(ProgramText.local(stack), index.size());
        }
        List<String> up = new ArrayList<>(List.of("i = self.first[l]"));
        up.addAll(locals);
        up.addAll(forward(rule, form, branch, weights, carriesScaled(model)));
        List<String> down = new ArrayList<>(List.of("i = self.first[l]"));
        down.addAll(locals);
        down.addAll(backward(rule, form, branch, weights, index));
        return "  def NAME_forward(self, l: int, x: Tensor, watch: bool) -> Tensor:\n" + indent(up)
                + "\n  def NAME_backward(self, l: int, g: Tensor, watch: bool) -> Tensor:\n" + indent(down);
    }

    private static String indent(List<String> lines) {
        return lines.stream().map(line -> "    " + line + "\n").collect(Collectors.joining());
    }

    /** Whether every sub-layer carries its input, times a number or as it is. */
    private static boolean carriesScaled(Architecture model) {
        for (int l = 0; l < model.layers(); l++) {
            if (model.rule(l).gate() || Form.of(model.rule(l)).orElseThrow().carriesNormed()) {
                return false;
            }
        }
        return true;
    }

    private static List<String> forward(SubLayerRule rule, Form form, String branch, String weights, boolean carriesScaled) {
        List<String> t = new ArrayList<>();
        if (!rule.trainedAlpha()) {
            t.add("alpha = " + rule.alpha());
        }
        t.add("self.saved.append(x)");
        t.add("h = x");
        if (rule.innerNorm()) {
            t.add("h, r, length = self.norm_forward(inner_norm, x)");
            t.add("self.saved.append(r)");
        }
        if (rule.inputScale()) {
            t.add("self.saved.append(h)");
            t.add("h = h * beta");
        }
        t.add("f = self." + branch + "_forward(" + weights + ", h)");
        if (rule.gate()) {
            t.add("T = torch.sigmoid(torch.addmm(b_T, h, W_T.t()))");
            t.add("d = f - x");
            t.add("self.saved.append(h)");
            t.add("self.saved.append(T)");
            t.add("self.saved.append(d)");
        }
        String carried = form.carriesNormed() ? "h" : "x";
        String gain = rule.outerNorm() ? "outer_norm" : "self.constants[3]";
        t.add("if watch:");
        if (carriesScaled) {
            String alpha = rule.trainedAlpha() ? "float(alpha.item())" : "float(alpha)";
            t.add("  self.watch_scaled(x, " + (rule.innerNorm() ? "length" : "torch.linalg_vector_norm(x, 2, [1], True)") + ", f, "
                    + (form.scaled() ? alpha : "1.") + ", " + (rule.k().equals("1") ? "1." : alpha) + ", " + gain + ")");
        } else {
            t.add("  u = h");
            t.add("  self.watch(x, " + (rule.gate() ? "(1. - T) * x" : form.scaled() ? "alpha * x" : carried) + ", "
                    + (rule.gate() ? "T * f" : "f") + ", " + ProgramText.passedOn(rule) + ", " + gain + ")");
        }
        if (rule.gate()) {
            t.add("  self.watch_gate(T)");
            t.add("z = torch.addcmul(x, T, d)");
        } else if (!form.scaled()) {
            t.add("z = torch.add_(f, " + carried + ")");
        } else {
            t.add(rule.trainedAlpha() ? "z = torch.addcmul_(f, x, alpha)" : "z = torch.add_(f, x, alpha=alpha)");
        }
        if (rule.outerNorm()) {
            t.add("y, ro, rows = self.norm_forward(outer_norm, z)");
            t.add("self.saved.append(z)");
            t.add("self.saved.append(ro)");
            t.add("return y");
        } else {
            t.add("return z");
        }
        return t;
    }

    private static List<String> backward(
            SubLayerRule rule, Form form, String branch, String weights, Map<String, Integer> index) {
        List<String> t = new ArrayList<>();
        if (rule.outerNorm()) {
            t.add("ro = self.saved.pop()");
            t.add("z = self.saved.pop()");
            t.add("g, gain = self.norm_backward(g, z, ro, outer_norm)");
            t.add(store(index, "outer_norm", "gain"));
        }
        t.add("gf = g");
        if (rule.gate()) {
            t.add("d = self.saved.pop()");
            t.add("T = self.saved.pop()");
            t.add("h = self.saved.pop()");
            t.add("gate = torch.sigmoid_backward(g * d, T)");
            t.add(store(index, "W_T", "torch.mm(gate.t(), h)"));
            t.add(store(index, "b_T", "gate.sum(0)"));
            t.add("gf = g * T");
        }
        t.add("gx = self." + branch + "_backward(i, " + weights + ", gf)");
        if (rule.gate()) {
            t.add("gx = torch.addmm(gx, gate, W_T)");
        }
        if (rule.inputScale()) {
            t.add("n = self.saved.pop()");
            t.add(store(index, "beta", "(gx * n).sum(0)"));
            t.add("gx = gx * beta");
        }
        if (form.carriesNormed()) {
            t.add("gx = torch.add_(gx, g)");
        }
        if (rule.innerNorm()) {
            t.add("r = self.saved.pop()");
        }
        t.add("x = self.saved.pop()");
        if (rule.innerNorm()) {
            t.add("gx, gain_in = self.norm_backward(gx, x, r, inner_norm)");
            t.add(store(index, "inner_norm", "gain_in"));
        }
        if (rule.gate()) {
            t.add("gx = torch.sub_(torch.add_(gx, g), gf)");
        } else if (form.scaled() && rule.trainedAlpha()) {
            t.add(store(index, "alpha", "(g * x).sum()"));
            t.add("gx = torch.addcmul_(gx, g, alpha)");
        } else if (form.scaled()) {
            t.add("gx = torch.add_(gx, g, alpha=" + rule.alpha() + ")");
        } else if (!form.carriesNormed()) {
            t.add("gx = torch.add_(gx, g)");
        }
        t.add("if watch:");
        t.add("  self.seen.append(torch.linalg_vector_norm(gx))");
        t.add("return gx");
        return t;
    }

    private static String store(Map<String, Integer> index, String local, String gradient) {
        return "self.grads[i + " + index.get(local) + "] = " + gradient;
    }
}
