package keelscope.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import keelscope.experiment.DivergenceRule;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Loss curves of real runs, one test for each file {@code KIND-NAME.csv} of the resource folder {@code loss-curves}.
 *
 * <p>KIND is what {@link Divergence} must find in it and nothing else: healthy, spike, stagnation, instability, degradation or
 * not_finite. The first line is {@code # steps=400 warmup=40} (and {@code floor=…} where it is known), the second
 * {@code step,loss,grad_norm}. Where {@code healthy-NAME.csv} stands beside {@code degradation-NAME.csv} it is the healthy run.
 *
 * <p>Those there were recorded with this program: width 64, 4 heads, 8 × 64 bytes of the sample text a step, seed 1, 400 steps with a
 * warm-up of 40 to a rate of 3e-3, the number in a name being L. Degradation is a rate of 6e-5; instability a rate that rises over 600
 * steps to 0.8, or one that is 40 times too high in the steps 200 to 204; spike the same with 10 times.
 */
class RecordedCurvesTest {

    private record Curve(int steps, int warmup, OptionalDouble floor, int[] step, double[] loss, double[] gradNorm) {}

    @TestFactory
    Stream<DynamicTest> everyRecordedCurveIsCalledByItsKind() throws IOException, URISyntaxException {
        URL folder = RecordedCurvesTest.class.getResource("/loss-curves");
        if (folder == null) {
            return Stream.empty();
        }
        try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
            List<Path> curves = files.filter(f -> f.toString().endsWith(".csv")).sorted().toList();
            return curves.stream().map(f -> DynamicTest.dynamicTest(f.getFileName().toString(), () -> isCalledByItsKind(f)));
        }
    }

    private static void isCalledByItsKind(Path file) throws IOException {
        String name = file.getFileName().toString();
        String kind = name.substring(0, name.indexOf('-'));
        Path beside = file.resolveSibling("healthy" + name.substring(kind.length()));
        Optional<LossCurve> healthy = Optional.empty();
        if (kind.equals("degradation") && Files.exists(beside)) {
            Curve reference = read(beside);
            healthy = Optional.of(LossCurve.of(reference.step, reference.loss));
        }
        Curve curve = read(file);
        Divergence divergence = new Divergence(DivergenceRule.DEFAULT, curve.steps, curve.warmup, curve.floor, healthy);
        List<Verdict> found = new ArrayList<>();
        for (int i = 0; i < curve.step.length; i++) {
            found.addAll(divergence.observe(curve.step[i], curve.loss[i], curve.gradNorm[i]));
        }
        assertThat(divergence.verdict().kind()).as("%s", found).isEqualTo(kind);
        Set<String> divergences = found.stream().filter(Verdict::diverged).map(Verdict::kind).collect(Collectors.toCollection(TreeSet::new));
        assertThat(divergences).as("%s", found).isSubsetOf(kind);
    }

    private static Curve read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        int steps = 0;
        int warmup = 0;
        OptionalDouble floor = OptionalDouble.empty();
        for (String setting : lines.get(0).substring(1).trim().split("\\s+")) {
            String[] pair = setting.split("=");
            switch (pair[0]) {
                case "steps" -> steps = Integer.parseInt(pair[1]);
                case "warmup" -> warmup = Integer.parseInt(pair[1]);
                case "floor" -> floor = OptionalDouble.of(Double.parseDouble(pair[1]));
                default -> throw new IllegalArgumentException(file + ": unknown setting " + pair[0]);
            }
        }
        List<String[]> rows = lines.stream().skip(2).filter(l -> !l.isBlank()).map(l -> l.split(",")).toList();
        return new Curve(
                steps,
                warmup,
                floor,
                rows.stream().mapToInt(r -> Integer.parseInt(r[0].trim())).toArray(),
                rows.stream().mapToDouble(r -> Double.parseDouble(r[1].trim())).toArray(),
                rows.stream().mapToDouble(r -> r.length > 2 ? Double.parseDouble(r[2].trim()) : 0).toArray());
    }
}
