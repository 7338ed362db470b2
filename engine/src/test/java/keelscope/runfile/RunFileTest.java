package keelscope.runfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFileTest {
    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("keel #1?.keelrun");
    }

    private void write(int from, int to, RunWriter writer) {
        for (int step = from; step < to; step++) {
            writer.step(Sample.step(step), Sample.layers(step), OptionalDouble.empty());
        }
    }

    @Test
    void whatIsWrittenIsRead() {
        try (RunWriter writer = RunWriter.create(file(), Sample.info())) {
            writer.validation(-1, 5.55);
            writer.state(RunStatus.RUNNING, "on its way");
            for (int step = 0; step < 30; step++) {
                writer.step(Sample.step(step), Sample.layers(step), step == 20 ? OptionalDouble.of(2.5) : OptionalDouble.empty());
            }
            writer.event(29, "spike", "The loss rose.");
        }
        try (RunReader reader = RunReader.open(file())) {
            assertThat(reader.file()).isEqualTo(file());
            assertThat(reader.info()).isEqualTo(Sample.info());
            assertThat(reader.lastStep()).isEqualTo(29);
            RunState state = reader.state();
            assertThat(state.status()).isEqualTo(RunStatus.RUNNING);
            assertThat(state.message()).isEqualTo("on its way");
            assertThat(state.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(reader.validation(-2)).containsExactly(new ValidationRecord(-1, 5.55), new ValidationRecord(20, 2.5));
            assertThat(reader.validation(-1)).containsExactly(new ValidationRecord(20, 2.5));
            List<RunEvent> events = reader.events(0);
            assertThat(events).singleElement().satisfies(e -> {
                assertThat(e.step()).isEqualTo(29);
                assertThat(e.kind()).isEqualTo("spike");
                assertThat(e.text()).isEqualTo("The loss rose.");
            });
            assertThat(reader.events(events.get(0).id())).isEmpty();

            StepSeries steps = reader.steps(0, Integer.MAX_VALUE, 1000);
            assertThat(steps.firstStep()).isEqualTo(IntStream.range(0, 30).toArray()).isEqualTo(steps.lastStep());
            for (int i = 0; i < 30; i++) {
                StepRecord step = Sample.step(i);
                assertThat(steps.loss()[i]).isEqualTo(step.loss()).isEqualTo(steps.lossMin()[i]).isEqualTo(steps.lossMax()[i]);
                assertThat(steps.gradNorm()[i]).isEqualTo(step.gradNorm());
                assertThat(steps.lr()[i]).isEqualTo(step.lr());
                assertThat(steps.stepMs()[i]).isEqualTo(step.stepMs());
                assertThat(steps.tokens()[i]).isEqualTo(step.tokens());
                assertThat(steps.memoryBytes()[i]).isEqualTo(step.memoryBytes());
            }
            LayerMatrix norms = reader.layers(Measure.PARAM_GRAD_NORM, 5, 9, 100);
            assertThat(norms.firstStep()).containsExactly(5, 6, 7, 8, 9);
            assertThat(norms.values()[2]).isEqualTo(Sample.gradNorm(7));
            assertThat(reader.layers(Measure.COSINE, 19)).hasValueSatisfying(v -> {
                assertThat(v.step()).isEqualTo(10);
                assertThat(v.values()).isEqualTo(Sample.cosine(10));
            });
            assertThat(reader.layers(Measure.ALPHA, 19)).isEmpty();
            assertThat(reader.layers(Measure.ALPHA, 0, 29, 10).size()).isZero();
        }
    }

    @Test
    void aFileWithoutStepsIsReadAsEmpty() {
        RunWriter.create(file(), Sample.info()).close();
        try (RunReader reader = RunReader.open(file())) {
            assertThat(reader.lastStep()).isEqualTo(-1);
            assertThat(reader.steps(0, Integer.MAX_VALUE, 10).size()).isZero();
            assertThat(reader.layers(Measure.PARAM_GRAD_NORM, 100)).isEmpty();
            assertThat(reader.state().status()).isEqualTo(RunStatus.STARTING);
        }
    }

    @Test
    void valuesThatAreNotFiniteComeBack() {
        float[] values = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, -0.0f};
        try (RunWriter writer = RunWriter.create(file(), Sample.info())) {
            writer.step(new StepRecord(0, 1, Double.NaN, 0, Double.POSITIVE_INFINITY, 1, 1, 1), Map.of(Measure.PARAM_GRAD_NORM, values),
                    OptionalDouble.of(Double.NaN));
        }
        try (RunReader reader = RunReader.open(file())) {
            StepSeries steps = reader.steps(0, 0, 1);
            assertThat(steps.loss()[0]).isNaN();
            assertThat(steps.lossMin()[0]).isNaN();
            assertThat(steps.gradNorm()[0]).isEqualTo(Double.POSITIVE_INFINITY);
            assertThat(reader.layers(Measure.PARAM_GRAD_NORM, 0).orElseThrow().values()).isEqualTo(values);
            assertThat(reader.layers(Measure.PARAM_GRAD_NORM, 0, 0, 1).values()[0]).isEqualTo(values);
            assertThat(reader.validation(-1).get(0).loss()).isNaN();
        }
    }

    @Test
    void stepsAndTheirTimesAreHadExactlyAsTheyWereWritten() {
        try (RunWriter writer = RunWriter.create(file(), Sample.info())) {
            write(0, 300, writer);
        }
        try (RunReader reader = RunReader.open(file())) {
            assertThat(reader.records(17, 280)).isEqualTo(IntStream.rangeClosed(17, 280).mapToObj(Sample::step).toList());
            assertThat(reader.timeMs(123)).isEqualTo(Sample.step(123).timeMs());
            assertThat(reader.timeMs(1_000_000)).isEqualTo(Sample.step(299).timeMs());
            assertThat(reader.timeMs(-1)).isEqualTo(Sample.info().createdMs());
        }
    }

    @Test
    void aLevelHasATableFromItsFirstRecordOn() throws SQLException {
        try (RunWriter writer = RunWriter.create(file(), Sample.info())) {
            write(0, 300, writer);
        }
        try (Database db = Database.open(file(), "mode=ro")) {
            // 300 steps are 18 records of level 1 and one of level 2; of the 30 probes, one of level 1.
            for (int level = 1; level <= Format.LEVELS; level++) {
                assertThat(db.hasTable(Format.table("step", level))).isEqualTo(level <= 2);
                assertThat(db.hasTable(Format.table(Format.table(Measure.COSINE), level))).isEqualTo(level <= 1);
            }
        }
    }

    @Test
    void reducedLevelsEqualTheReductionOfEveryStep() {
        int steps = 16 * 16 * 16 + 16 * 16 * 3 + 16 * 5 + 7;
        try (RunWriter writer = RunWriter.create(file(), Sample.info())) {
            write(0, steps, writer);
        }
        try (RunReader reader = RunReader.open(file())) {
            assertReduced(reader, 0, steps - 1, 100);
            assertReduced(reader, 0, steps - 1, 3);
            assertReduced(reader, 0, steps - 1, 1);
            assertReduced(reader, 0, steps - 1, 4000);
            assertReduced(reader, 1, steps - 2, 50);
            assertReduced(reader, 777, 3333, 20);
            assertReduced(reader, 100, 110, 5);
            assertReduced(reader, 4000, 100_000, 7);
        }
    }

    @Test
    void reducedLevelsEqualTheReductionAfterReopeningAtAnyPoint() {
        int steps = 700;
        RunWriter writer = RunWriter.create(file(), Sample.info());
        int[] cuts = {1, 15, 16, 17, 255, 256, 300, 555};
        int from = 0;
        for (int cut : cuts) {
            write(from, cut, writer);
            writer.close();
            writer = RunWriter.reopen(file());
            assertThat(writer.lastStep()).isEqualTo(cut - 1);
            from = cut;
        }
        write(from, steps, writer);
        writer.close();
        try (RunReader reader = RunReader.open(file())) {
            assertReduced(reader, 0, steps - 1, 3);
            assertReduced(reader, 0, steps - 1, 44);
        }
    }

    @Test
    void stepsAfterACheckpointCanBeTakenAgain() {
        try (RunWriter writer = RunWriter.create(file(), Sample.info())) {
            write(0, 600, writer);
            writer.validation(500, 1);
            writer.event(599, "killed", "The engine was killed.");
        }
        for (int kept : new int[] {599, 520, 511, 256, 255, 100, 0, -1}) {
            try (RunWriter writer = RunWriter.reopen(file())) {
                writer.truncateAfter(kept);
                assertThat(writer.lastStep()).isEqualTo(kept);
                try (RunReader reader = RunReader.open(file())) {
                    assertThat(reader.lastStep()).isEqualTo(kept);
                    assertThat(reader.validation(-1)).hasSize(kept >= 500 ? 1 : 0);
                    assertThat(reader.events(0)).hasSize(1);
                    if (kept >= 0) {
                        assertReduced(reader, 0, kept, 3);
                    }
                }
                write(kept + 1, 600, writer);
            }
            try (RunReader reader = RunReader.open(file())) {
                assertReduced(reader, 0, 599, 3);
            }
        }
    }

    @Test
    void aMeanIsOverWhatIsFiniteAndAGeometricMeanOverWhatIsPositive() {
        try (RunWriter writer = RunWriter.create(file(), Sample.info())) {
            for (int step = 0; step < 64; step++) {
                float odd = step % 2 == 0 ? Float.NaN : 4;
                writer.step(new StepRecord(step, step, step % 2 == 0 ? Double.NaN : 3, 1, step < 32 ? Double.POSITIVE_INFINITY : 2, 1, 1, 1),
                        Map.of(Measure.PARAM_GRAD_NORM, new float[] {odd, Float.NaN, 0, step % 2 == 0 ? 1 : 100, step == 5 ? 0 : 8}),
                        OptionalDouble.empty());
            }
        }
        try (RunReader reader = RunReader.open(file())) {
            StepSeries steps = reader.steps(0, 63, 2);
            assertThat(steps.firstStep()).containsExactly(0, 32);
            assertThat(steps.loss()).containsExactly(3, 3);
            assertThat(steps.gradNorm()).containsExactly(Double.NaN, 2);
            float[] mean = reader.layers(Measure.PARAM_GRAD_NORM, 0, 63, 1).values()[0];
            assertThat(mean[0]).isCloseTo(4, within(1e-5f));
            assertThat(mean[1]).isNaN();
            assertThat(mean[2]).isZero();
            assertThat(mean[3]).isCloseTo(10, within(1e-4f));
            assertThat(mean[4]).isCloseTo(8, within(1e-4f));
        }
    }

    @Test
    void aBucketKeepsItsPlaceWhileTheRunGrows() {
        try (RunWriter writer = RunWriter.create(file(), Sample.info())) {
            write(0, 900, writer);
            try (RunReader reader = RunReader.open(file())) {
                StepSeries before = reader.steps(0, Integer.MAX_VALUE, 64);
                write(900, 1000, writer);
                StepSeries after = reader.steps(0, Integer.MAX_VALUE, 64);
                int whole = before.size() - 1;
                assertThat(Arrays.copyOf(after.firstStep(), whole)).isEqualTo(Arrays.copyOf(before.firstStep(), whole));
                assertThat(Arrays.copyOf(after.loss(), whole)).isEqualTo(Arrays.copyOf(before.loss(), whole));
            }
        }
    }

    @Test
    void aFinishedRunIsASingleFile() throws Exception {
        try (RunWriter writer = RunWriter.create(file(), Sample.info())) {
            write(0, 100, writer);
        }
        try (RunReader reader = RunReader.open(file()); Stream<Path> files = Files.list(folder)) {
            assertThat(reader.lastStep()).isEqualTo(99);
            assertThat(files).containsExactly(file());
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void aRunClosedWhileItIsReadIsASingleFileOnceTheReaderCloses() throws Exception {
        RunWriter writer = RunWriter.create(file(), Sample.info());
        write(0, 100, writer);
        try (RunReader reader = RunReader.open(file())) {
            assertThat(reader.lastStep()).isEqualTo(99);
            writer.state(RunStatus.FINISHED, "");
            writer.close();
            assertThat(reader.state().status()).isEqualTo(RunStatus.FINISHED);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void aCommandIsPendingUntilItIsTakenAndThenAnEvent() {
        try (RunWriter writer = RunWriter.create(file(), Sample.info()); RunReader reader = RunReader.open(file())) {
            assertThat(writer.pendingCommands()).isEmpty();
            assertThat(writer.pendingCommands()).isEmpty();
            RunReader.send(file(), "lr", "x0.5");
            RunReader.send(file(), "pause", "");
            List<Command> commands = writer.pendingCommands();
            assertThat(commands).extracting(Command::name).containsExactly("lr", "pause");
            assertThat(commands).extracting(Command::argument).containsExactly("x0.5", "");
            assertThat(writer.pendingCommands()).isEqualTo(commands);
            long before = reader.dataVersion();
            writer.taken(commands.get(0), 12, "The learning rate was halved.");
            assertThat(reader.dataVersion()).isNotEqualTo(before);
            assertThat(writer.pendingCommands()).containsExactly(commands.get(1));
            assertThat(reader.events(0)).singleElement().satisfies(e -> {
                assertThat(e.kind()).isEqualTo("lr");
                assertThat(e.step()).isEqualTo(12);
            });
            writer.taken(commands.get(1), 12, "Paused.");
            assertThat(writer.pendingCommands()).isEmpty();
        }
    }

    /** Checks step series and layer matrices against a reduction of the formulas of {@link Sample} in plain arithmetic. */
    private static void assertReduced(RunReader reader, int from, int to, int most) {
        int end = Math.min(to, reader.lastStep());
        StepSeries steps = reader.steps(from, to, most);
        assertThat(steps.size()).isBetween(Math.min(most, end - from + 1) / 4, most);
        int next = from;
        for (int i = 0; i < steps.size(); i++) {
            assertThat(steps.firstStep()[i]).isEqualTo(next);
            next = steps.lastStep()[i] + 1;
            List<StepRecord> in = IntStream.range(steps.firstStep()[i], next).mapToObj(Sample::step).toList();
            assertThat(steps.loss()[i]).isCloseTo(in.stream().mapToDouble(StepRecord::loss).average().orElseThrow(), within(1e-9));
            assertThat(steps.lossMin()[i]).isEqualTo(in.stream().mapToDouble(StepRecord::loss).min().orElseThrow());
            assertThat(steps.lossMax()[i]).isEqualTo(in.stream().mapToDouble(StepRecord::loss).max().orElseThrow());
            assertThat(steps.gradNorm()[i]).isCloseTo(in.stream().mapToDouble(StepRecord::gradNorm).average().orElseThrow(), within(1e-9));
            assertThat(steps.gradNormMax()[i]).isEqualTo(in.stream().mapToDouble(StepRecord::gradNorm).max().orElseThrow());
            assertThat(steps.lr()[i]).isCloseTo(in.stream().mapToDouble(StepRecord::lr).average().orElseThrow(), within(1e-12));
            assertThat(steps.stepMs()[i]).isCloseTo(in.stream().mapToDouble(StepRecord::stepMs).average().orElseThrow(), within(1e-9));
            assertThat(steps.tokens()[i]).isEqualTo(Sample.step(next - 1).tokens());
        }
        assertThat(next).isEqualTo(end + 1);

        LayerMatrix norms = reader.layers(Measure.PARAM_GRAD_NORM, from, to, most);
        next = from;
        for (int i = 0; i < norms.size(); i++) {
            assertThat(norms.firstStep()[i]).isEqualTo(next);
            next = norms.lastStep()[i] + 1;
            for (int l = 0; l < Sample.LAYERS; l++) {
                int layer = l;
                double log = IntStream.range(norms.firstStep()[i], next).mapToDouble(s -> Math.log(Sample.gradNorm(s)[layer])).average().orElseThrow();
                assertThat((double) norms.values()[i][l]).isCloseTo(Math.exp(log), within(1e-5 * Math.exp(log)));
            }
        }
        assertThat(next).isEqualTo(end + 1);

        LayerMatrix cosines = reader.layers(Measure.COSINE, from, to, most);
        next = (from + 9) / 10 * 10;
        for (int i = 0; i < cosines.size(); i++) {
            assertThat(cosines.firstStep()[i]).isEqualTo(next);
            next = cosines.lastStep()[i] + 10;
            for (int l = 0; l < Sample.LAYERS; l++) {
                int layer = l;
                double mean = IntStream.range(cosines.firstStep()[i], next).filter(s -> s % 10 == 0).mapToDouble(s -> Sample.cosine(s)[layer])
                        .average().orElseThrow();
                assertThat((double) cosines.values()[i][l]).isCloseTo(mean, within(1e-5));
            }
        }
        assertThat(next).isEqualTo(end / 10 * 10 + 10);
    }
}
