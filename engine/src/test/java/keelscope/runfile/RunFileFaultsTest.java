package keelscope.runfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import keelscope.faults.SmallDisk;
import keelscope.process.Waiting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFileFaultsTest {
    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("keel.keelrun");
    }

    private Path finished(int steps) {
        try (RunWriter writer = RunWriter.create(file(), Sample.info())) {
            for (int step = 0; step < steps; step++) {
                writer.step(Sample.step(step), Sample.layers(step), OptionalDouble.empty());
            }
            writer.state(RunStatus.FINISHED, "");
        }
        return file();
    }

    private static void assertRefused(Path file, String... parts) {
        assertThatExceptionOfType(RunFileException.class).isThrownBy(() -> RunReader.open(file).close())
                .satisfies(e -> assertThat(e.getMessage()).contains(file.toString()).contains(parts).doesNotContain("\n"));
    }

    @Test
    void killedTwentyTimesAtARandomMomentTheFileHasNoGap() throws Exception {
        Random random = new Random(20);
        int known = -1;
        for (int kill = 0; kill < 20; kill++) {
            try (WritingProcess writing = WritingProcess.start(file(), Integer.MAX_VALUE)) {
                known = writing.kill(writing.await(known + 1 + random.nextInt(400)));
            }
            try (RunReader reader = RunReader.open(file())) {
                int last = reader.lastStep();
                assertThat(last).isGreaterThanOrEqualTo(known);
                known = last;
            }
        }
        try (RunReader reader = RunReader.open(file())) {
            int[] all = IntStream.rangeClosed(0, known).toArray();
            StepSeries steps = reader.steps(0, known, Integer.MAX_VALUE);
            assertThat(steps.firstStep()).isEqualTo(all);
            assertThat(steps.loss()).isEqualTo(IntStream.of(all).mapToDouble(Sample::loss).toArray());
            LayerMatrix norms = reader.layers(Measure.PARAM_GRAD_NORM, 0, known, Integer.MAX_VALUE);
            assertThat(norms.firstStep()).isEqualTo(all);
            assertThat(norms.values()).isDeepEqualTo(IntStream.of(all).mapToObj(Sample::gradNorm).toArray(float[][]::new));
            assertThat(reader.layers(Measure.COSINE, 0, known, Integer.MAX_VALUE).firstStep())
                    .isEqualTo(IntStream.of(all).filter(s -> s % 10 == 0).toArray());
            assertThat(reader.validation(-1)).hasSize(known / 50 + 1);
            // A bucket without a gap starts where the one before it ended.
            StepSeries reduced = reader.steps(0, known, 10);
            for (int i = 1; i < reduced.size(); i++) {
                assertThat(reduced.firstStep()[i]).isEqualTo(reduced.lastStep()[i - 1] + 1);
            }
        }
    }

    @Test
    void aFileIsReadWhileAnotherProcessWritesIt() throws Exception {
        try (WritingProcess writing = WritingProcess.start(file(), Integer.MAX_VALUE)) {
            writing.await(0);
            writing.ignoreTheRest();
            try (RunReader reader = RunReader.open(file()); RunReader second = RunReader.open(file())) {
                RunReader.send(file(), "probe", "");
                AtomicInteger last = new AtomicInteger(-1);
                AtomicInteger looks = new AtomicInteger();
                Waiting.until("the end of the run", () -> {
                    if (looks.incrementAndGet() == 300) {
                        RunReader.send(file(), "stop", "");
                    }
                    boolean ended = reader.state().status().ended();
                    int committed = reader.lastStep();
                    assertThat(committed).isGreaterThanOrEqualTo(last.getAndSet(committed));
                    assertThat(reader.layers(Measure.PARAM_GRAD_NORM, committed).orElseThrow().step()).isEqualTo(committed);
                    StepSeries steps = second.steps(0, Integer.MAX_VALUE, 50);
                    assertThat(steps.lastStep()[steps.size() - 1]).isGreaterThanOrEqualTo(committed);
                    return ended;
                });
                assertThat(reader.lastStep()).isEqualTo(last.get());
                assertThat(reader.events(0)).extracting(RunEvent::kind).containsExactly("probe", "stop");
            }
        }
    }

    @Test
    void aSecondEngineIsRefusedInOneSentence() throws Exception {
        try (WritingProcess writing = WritingProcess.start(file(), Integer.MAX_VALUE)) {
            writing.await(3);
            assertThatExceptionOfType(RunFileException.class).isThrownBy(() -> RunWriter.reopen(file()))
                    .withMessageContaining("is being written by another engine (process " + writing.process.pid() + ")");
            assertThatExceptionOfType(RunFileException.class).isThrownBy(() -> RunWriter.create(file(), Sample.info()))
                    .withMessageContaining("is being written by another engine");
            writing.await(writing.await(0) + 100);
        }
        RunWriter.reopen(file()).close();
    }

    @Test
    void aSecondWriterInTheSameProcessIsRefusedAndTheFirstGoesOn() {
        try (RunWriter writer = RunWriter.create(file(), Sample.info())) {
            assertThatExceptionOfType(RunFileException.class).isThrownBy(() -> RunWriter.reopen(file()))
                    .withMessageContaining("is being written by another engine");
            writer.step(Sample.step(0), Sample.layers(0), OptionalDouble.empty());
        }
    }

    @Test
    void anExistingFileIsNotWrittenOver() {
        finished(3);
        assertThatExceptionOfType(RunFileException.class).isThrownBy(() -> RunWriter.create(file(), Sample.info()))
                .withMessageContaining("exists already");
    }

    @Test
    void aFolderThatIsMissingIsNamed() {
        Path missing = folder.resolve("nowhere").resolve("keel.keelrun");
        assertThatExceptionOfType(RunFileException.class).isThrownBy(() -> RunWriter.create(missing, Sample.info()))
                .withMessageContaining(missing.getParent().toString())
                .withMessageContaining("does not exist");
    }

    @Test
    void aMissingFileIsRefused() {
        assertRefused(file(), "There is no run file");
    }

    @Test
    void aFolderIsRefused() {
        assertRefused(folder, "is a folder");
    }

    @Test
    void anEmptyFileIsRefused() throws IOException {
        assertRefused(Files.createFile(file()), "is empty");
    }

    @Test
    void aTextIsRefused() throws IOException {
        assertRefused(Files.writeString(file(), "loss 3.2\n".repeat(1000)), "is not a run file");
    }

    @Test
    void anotherProgramsDatabaseIsRefused() throws Exception {
        try (Database other = Database.open(file(), "mode=rwc")) {
            other.execute("CREATE TABLE step (step INTEGER)");
        }
        assertRefused(file(), "is not a run file");
    }

    @Test
    void aNewerFormatIsRefused() throws Exception {
        finished(3);
        try (Database other = Database.open(file(), "mode=rw")) {
            other.execute("PRAGMA user_version = " + (Format.VERSION + 1));
        }
        assertRefused(file(), "newer Keelscope");
    }

    @Test
    void aFileCutInHalfIsRefused() throws IOException {
        finished(2000);
        try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() / 2);
        }
        assertRefused(file(), "is damaged");
    }

    @Test
    void aFileWithNonsenseInItsPagesIsReportedAsDamaged() throws IOException {
        finished(2000);
        try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
            byte[] nonsense = new byte[(int) channel.size() - 4096];
            new Random(1).nextBytes(nonsense);
            channel.write(ByteBuffer.wrap(nonsense), 4096);
        }
        assertThatExceptionOfType(RunFileException.class).isThrownBy(() -> {
            try (RunReader reader = RunReader.open(file())) {
                reader.steps(0, 2000, 3000);
            }
        }).withMessageContaining("is damaged");
    }

    @Test
    void aNumberThatIsNoneAndAStateThatIsNoneAreReportedAsDamage() throws Exception {
        finished(3);
        alter("UPDATE meta SET value = 'abc' WHERE key = 'layers'");
        assertRefused(file(), "is damaged (layers is 'abc', no number)");
        alter("UPDATE meta SET value = '4' WHERE key = 'layers'");
        alter("UPDATE state SET status = 'DONE'");
        try (RunReader reader = RunReader.open(file())) {
            assertThatExceptionOfType(RunFileException.class).isThrownBy(reader::state)
                    .withMessageContaining(file().toString())
                    .withMessageContaining("is damaged (its state is 'DONE')");
        }
    }

    private void alter(String sql) throws Exception {
        try (Database other = Database.open(file(), "mode=rw")) {
            other.execute(sql);
        }
    }

    @Test
    void aRunWithoutAnEndIsReadOnADiskThatIsFull() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "1m")) {
            Path made = disk.folder().resolve("keel.keelrun");
            try (RunWriter writer = RunWriter.create(file(), Sample.info())) {
                for (int step = 0; step < 20; step++) {
                    writer.step(Sample.step(step), Sample.layers(step), OptionalDouble.empty());
                }
                writer.state(RunStatus.RUNNING, "");
                // What an engine that is killed now leaves; its index in shared memory went with the last reader.
                Files.copy(file(), made);
                Files.copy(Format.beside(file(), "-wal"), Format.beside(made, "-wal"));
            }
            disk.fill();
            try (RunReader reader = RunReader.open(made); RunReader another = RunReader.open(made)) {
                assertThat(reader.lastStep()).isEqualTo(19);
                assertThat(another.records(19, 19)).singleElement().extracting(StepRecord::loss).isEqualTo(Sample.loss(19));
                assertThat(reader.state().status()).isEqualTo(RunStatus.RUNNING);
                assertThat(reader.hasEngine()).isFalse();
            }
            assertThatExceptionOfType(RunFileException.class).isThrownBy(() -> RunWriter.markStarting(made)).withMessageContaining("full");
        }
    }

    @Test
    void whatDoesNotFitOnTheDiskIsNotHalfThereAndWritingGoesOnOnceItFits() throws Exception {
        try (Database database = Database.open(file(), "mode=rwc")) {
            database.execute("PRAGMA journal_mode = WAL");
            database.execute("CREATE TABLE part (n INTEGER, value BLOB)");
            // As a full disk: SQLite reports both as SQLITE_FULL.
            database.execute("PRAGMA max_page_count = 40");
            int written = 0;
            RunFileException refusal = null;
            while (refusal == null) {
                try {
                    writeParts(database, written);
                    written++;
                } catch (RunFileException e) {
                    refusal = e;
                }
            }
            assertThat(refusal).hasMessageContaining("The disk that holds the run file " + file() + " is full");
            assertThat(refusal.getSuppressed()).isEmpty();
            int kept = written;
            assertThat(database.<Long>read(() -> database.number("SELECT count(*) FROM part", 0))).isEqualTo(2L * kept).isPositive();
            database.execute("PRAGMA max_page_count = 4000");
            writeParts(database, written);
            assertThat(database.<Long>read(() -> database.number("SELECT count(*) FROM part", 0))).isEqualTo(2L * kept + 2);
        }
    }

    private static void writeParts(Database database, int n) {
        database.write(() -> {
            for (int part = 0; part < 2; part++) {
                var insert = database.prepared("INSERT INTO part VALUES (?, ?)");
                insert.setInt(1, n);
                insert.setBytes(2, new byte[3000]);
                insert.executeUpdate();
            }
            return null;
        });
    }

    @Test
    void aRunThatHasEndedTakesNoCommand() {
        finished(3);
        assertThatExceptionOfType(RunFileException.class).isThrownBy(() -> RunReader.send(file(), "pause", ""))
                .withMessageContaining("has ended");
    }

    @Test
    void aFinishedRunIsReadFromAFolderThatCannotBeWritten() throws IOException {
        finished(20);
        assertThat(file().toFile().setWritable(false)).isTrue();
        assertThat(folder.toFile().setWritable(false)).isTrue();
        try {
            assumeFalse(Files.isWritable(folder), "this user may write anywhere");
            try (RunReader reader = RunReader.open(file())) {
                assertThat(reader.lastStep()).isEqualTo(19);
            }
            assertThatExceptionOfType(RunFileException.class).isThrownBy(() -> RunWriter.reopen(file()))
                    .withMessageContaining("cannot be written");
        } finally {
            folder.toFile().setWritable(true);
        }
    }
}
