package keelscope.cli;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import keelscope.process.Progress;
import keelscope.process.ReadingProgress;
import keelscope.process.RunFolder;
import keelscope.process.RunFollower;
import keelscope.runfile.RunEvent;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunStatus;

/**
 * Progress of several arms in a terminal: a bar an arm, redrawn in place; where the output is no terminal, a plain line for each
 * tenth of an arm. Called from several threads.
 */
final class ProgressDisplay implements AutoCloseable {
    private static final int BAR = 24;
    private static final int LINES_AN_ARM = 10;

    /** Kind of the event that says from where an engine goes on. */
    private static final String RESUME = "resume";

    private final PrintStream out;
    private final Path folder;
    private final boolean terminal;
    private final int nameWidth;
    private final Map<String, Arm> arms = new LinkedHashMap<>();
    private int drawn;
    private boolean ended;

    /** What is known of an arm. */
    private static final class Arm {
        final RunFollower follower;
        Optional<Progress> progress = Optional.empty();
        Optional<String> said = Optional.empty();
        Optional<Integer> reading = Optional.empty();
        int tenths = -1;
        int tenthsRead = -1;

        Arm(RunFollower follower) {
            this.follower = follower;
        }
    }

    ProgressDisplay(PrintStream out, Path folder, List<String> names) {
        this(out, folder, names, isTerminal());
    }

    ProgressDisplay(PrintStream out, Path folder, List<String> names, boolean terminal) {
        this.out = out;
        this.folder = folder;
        this.terminal = terminal;
        this.nameWidth = names.stream().mapToInt(String::length).max().orElse(1);
        for (String name : names) {
            arms.put(name, new Arm(new RunFollower(RunFolder.runFile(folder, name))));
        }
    }

    /** Whether somebody looks at a terminal that understands control sequences. */
    static boolean isTerminal() {
        if (System.console() == null || "dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        try {
            // From Java 22 on there is a console without a terminal too, and this method to ask it.
            return (boolean) java.io.Console.class.getMethod("isTerminal").invoke(System.console());
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /** To be called before the engines start: what was recorded by then is not told. */
    synchronized void begin(String experiment) {
        arms.values().forEach(ProgressDisplay::newEvents);
        out.println(experiment + ": " + arms.size() + (arms.size() == 1 ? " arm" : " arms") + ", recorded in " + folder);
    }

    /** Takes note that the engine of {@code name} has ended; {@code said}: why, empty where it ended as it should. */
    synchronized void ended(String name, String said) {
        arms.get(name).said = Optional.of(said);
    }

    /** Says a sentence between the bars. */
    synchronized void say(String sentence) {
        out.println(sentence);
        drawn = 0;
    }

    synchronized void refresh() {
        if (ended) {
            return;
        }
        arms.forEach(this::read);
        if (terminal) {
            draw();
        } else {
            arms.forEach(this::printTenth);
        }
    }

    private void read(String name, Arm arm) {
        try {
            arm.progress = arm.follower.progress();
            newEvents(arm).stream().filter(event -> event.kind().equals(RESUME)).forEach(event -> say(name + ": " + event.text()));
            boolean starts = arm.progress.map(p -> p.state().status() == RunStatus.STARTING).orElse(true);
            arm.reading = starts ? ReadingProgress.percent(RunFolder.log(folder, name)) : Optional.empty();
        } catch (RunFileException e) {
            arm.said = Optional.of(e.getMessage());
        }
    }

    private static List<RunEvent> newEvents(Arm arm) {
        try {
            return arm.follower.newEvents();
        } catch (RunFileException e) {
            return List.of(); // read() says so
        }
    }

    private void draw() {
        StringBuilder text = new StringBuilder();
        if (drawn > 0) {
            text.append("\033[").append(drawn).append('A');
        }
        arms.forEach((name, arm) -> text.append(line(name, arm, true)).append("\033[K\n"));
        out.print(text);
        out.flush();
        drawn = arms.size();
    }

    private void printTenth(String name, Arm arm) {
        int tenthsRead = arm.reading.map(percent -> percent * LINES_AN_ARM / 100).orElse(-1);
        int tenths = arm.progress.map(p -> p.lastStep() < 0 ? -1 : (int) (p.share() * LINES_AN_ARM)).orElse(-1);
        if (tenths > arm.tenths || tenthsRead > arm.tenthsRead) {
            arm.tenths = tenths;
            arm.tenthsRead = tenthsRead;
            out.println(line(name, arm, false));
        }
    }

    private String line(String name, Arm arm, boolean bar) {
        String head = String.format(Locale.ROOT, "%-" + nameWidth + "s  ", name);
        if (arm.progress.isEmpty()) {
            return head + (arm.said.isPresent() ? "ended before its first step" : starting(arm));
        }
        Progress p = arm.progress.get();
        StringBuilder text = new StringBuilder(head);
        if (bar) {
            int full = (int) (p.share() * BAR);
            text.append('[').append("#".repeat(full)).append("-".repeat(BAR - full)).append("] ");
        }
        text.append(String.format(Locale.ROOT, "%d of %d steps", p.lastStep() + 1, p.steps()));
        if (p.lastStep() >= 0) {
            text.append(String.format(Locale.ROOT, "  loss %.3f  %,.0f tokens/s", p.loss(), p.tokensPerSecond()));
        }
        RunStatus status = p.state().status();
        if (status.ended() || status == RunStatus.PAUSED) {
            text.append("  ").append(status.name().toLowerCase(Locale.ROOT));
        } else if (arm.said.isPresent()) {
            text.append("  ended");
        } else if (status == RunStatus.STARTING) {
            text.append("  ").append(starting(arm));
        } else {
            p.left().ifPresent(left -> text.append("  ").append(duration(left)).append(" left"));
        }
        return text.toString();
    }

    private static String starting(Arm arm) {
        return arm.reading.map(percent -> "reading the text: " + percent + " %").orElse("starting");
    }

    /** Prints the table of results and what there is to say; whether every arm finished or diverged. */
    synchronized boolean end() {
        if (ended) {
            return false;
        }
        refresh();
        ended = true;
        out.println();
        boolean answers = arms.values().stream().flatMap(arm -> arm.progress.stream()).anyMatch(p -> Double.isFinite(p.accuracy()));
        String row = "%-" + nameWidth + "s  %-9s %8s %8s %8s" + (answers ? " %8s" : "%s") + " %9s%n";
        out.printf(Locale.ROOT, row, "arm", "state", "steps", "loss", "val loss", answers ? "accuracy" : "", "time");
        boolean good = true;
        for (Map.Entry<String, Arm> entry : arms.entrySet()) {
            Optional<Progress> progress = entry.getValue().progress;
            RunStatus status = status(entry.getValue());
            good &= status == RunStatus.FINISHED || status == RunStatus.DIVERGED;
            out.printf(Locale.ROOT, row, entry.getKey(), status.name().toLowerCase(Locale.ROOT),
                    progress.map(p -> p.lastStep() + 1).orElse(0), number(progress.map(Progress::loss)),
                    number(progress.map(Progress::validationLoss)), answers ? number(progress.map(Progress::accuracy)) : "",
                    progress.map(p -> duration(p.taken())).orElse("-"));
        }
        // What befell several arms alike is said once.
        Map<String, List<String>> sentences = new LinkedHashMap<>();
        arms.forEach((name, arm) -> sentences.computeIfAbsent(lastWord(arm), sentence -> new ArrayList<>()).add(name));
        sentences.remove("");
        sentences.forEach((sentence, names) -> out.println(String.join(", ", names) + ": " + sentence));
        out.println("Recorded in " + folder);
        return good;
    }

    /** What its run file says, unless its engine has ended and could not, as on a full disk, have the file say so. */
    private static RunStatus status(Arm arm) {
        Optional<RunStatus> recorded = arm.progress.map(p -> p.state().status());
        boolean ended = recorded.map(RunStatus::ended).orElse(false);
        // without a run file and without a reason it was stopped before it had begun
        RunStatus unrecorded = recorded.isPresent() || !lastWord(arm).isEmpty() ? RunStatus.FAILED : RunStatus.STOPPED;
        return ended || arm.said.isEmpty() && recorded.isPresent() ? recorded.get() : unrecorded;
    }

    /** What there is to say of its end, empty where it ended as it should. */
    private static String lastWord(Arm arm) {
        return arm.said.filter(said -> !said.isEmpty()).orElseGet(() -> arm.progress.map(p -> p.state().message()).orElse(""));
    }

    private static String number(Optional<Double> value) {
        return value.filter(v -> !v.isNaN()).map(v -> String.format(Locale.ROOT, "%.3f", v)).orElse("-");
    }

    /** As 0:07, 12:05 or 3:00:00. */
    static String duration(Duration duration) {
        long s = Math.round(duration.toMillis() / 1e3);
        return s < 3600 ? String.format(Locale.ROOT, "%d:%02d", s / 60, s % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
    }

    @Override
    public synchronized void close() {
        arms.values().forEach(arm -> arm.follower.close());
    }
}
