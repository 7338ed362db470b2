package keelscope.library;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import keelscope.process.RunFolder;
import keelscope.runfile.RunFileException;

/**
 * All runs of a runs folder and those opened elsewhere. Heads and notes are read again only where a file has changed. Knows nothing of the window;
 * its methods wait for the disk and are for a background thread. Not for several threads at once.
 */
public final class RunLibrary {
    private static final String RUN_FILE = ".keelrun";
    private static final String LABEL = "keelscope-notes.json";
    private static final String LOG = "-wal";
    private static final String CHECKPOINTS = ".checkpoints";
    private static final String TRASH = ".trash";
    private static final String ELSEWHERE = ".opened-elsewhere";

    /** Folders below the runs folder that are looked into. */
    private static final int DEPTH = 4;

    /** So long it reads before it tells what it has. */
    private static final long TELL_MS = 150;

    private final Path home;
    private final Map<Path, Read> heads = new HashMap<>();
    private final Map<Path, Labelled> labels = new HashMap<>();
    /** Every file of a run at the last look, and what changes whenever it is written to. */
    private Map<Path, String> stamps = Map.of();

    /** A head, or none where the file could not be read, and what the file looked like then. */
    private record Read(String stamp, Optional<RunHead> head) {}

    /** What an owner wrote, and what the file with it looked like then. */
    private record Labelled(String stamp, RunLabel label) {}

    /** @param home the runs folder, which need not exist yet */
    public RunLibrary(Path home) {
        this.home = home.toAbsolutePath().normalize();
    }

    /**
     * Every run that can be read, newest first. What cannot be read is left out: opening it says why.
     *
     * @throws LibraryException if the runs folder cannot be read
     */
    public List<LibraryRun> scan() {
        return scan(soFar -> {});
    }

    /**
     * The same.
     *
     * @param soFar is told meanwhile, where many files have to be read, of the runs that are known so far
     */
    public List<LibraryRun> scan(Consumer<List<LibraryRun>> soFar) {
        stamps = stamps();
        List<Path> files = stamps.keySet().stream().filter(file -> file.toString().endsWith(RUN_FILE)).sorted().toList();
        heads.keySet().retainAll(files);
        labels.keySet().retainAll(stamps.keySet());
        long told = System.nanoTime();
        // Folders are named by their date: what is newest is there first.
        for (Path file : files.stream().filter(this::isStale).sorted(Comparator.comparing(Path::getParent).reversed()).toList()) {
            heads.put(file, read(file));
            if (System.nanoTime() - told > TELL_MS * 1_000_000) {
                soFar.accept(runs(files));
                told = System.nanoTime();
            }
        }
        return runs(files);
    }

    private List<LibraryRun> runs(List<Path> files) {
        Map<Path, List<RunHead>> byPlace = new LinkedHashMap<>();
        for (Path file : files) {
            Optional.ofNullable(heads.get(file)).flatMap(Read::head).ifPresent(head -> {
                // An arm of an experiment belongs with the others of its folder; what was imported stands for itself.
                boolean single = head.info().experimentYaml().isEmpty();
                byPlace.computeIfAbsent(single ? file : file.getParent(), place -> new ArrayList<>()).add(head);
            });
        }
        List<LibraryRun> runs = new ArrayList<>();
        byPlace.forEach((place, arms) -> runs.add(new LibraryRun(place, isHome(place), labelOf(place), arms)));
        runs.sort(Comparator.comparingLong(LibraryRun::createdMs).reversed().thenComparing(run -> run.place().toString()));
        return List.copyOf(runs);
    }

    private Map<Path, String> stamps() {
        Map<Path, String> found = new HashMap<>();
        find(home, DEPTH, found);
        for (Path place : elsewhere()) {
            if (Files.isDirectory(place)) {
                find(place, 1, found);
            } else {
                for (Path part : List.of(place, log(place), labelFile(place))) {
                    stamp(part, found);
                }
            }
        }
        return found;
    }

    private static void find(Path folder, int depth, Map<Path, String> found) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try {
            Files.walkFileTree(folder, Set.of(), depth, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) {
                    String name = entered.getFileName().toString();
                    boolean ours = entered.equals(folder) || !name.startsWith(".") && !name.endsWith(CHECKPOINTS);
                    return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(RUN_FILE) || name.endsWith(RUN_FILE + LOG) || name.endsWith(LABEL)) {
                        found.put(file.toAbsolutePath().normalize(), stamp(attributes));
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    // Gone meanwhile, or not ours to read: the others are shown.
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new LibraryException("The runs folder " + folder + " cannot be read (" + e.getMessage() + "); check that you may read it.", e);
        }
    }

    private static void stamp(Path file, Map<Path, String> found) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (attributes.isRegularFile()) {
                found.put(file, stamp(attributes));
            }
        } catch (IOException e) {
            // It is not there, and so not among what was found.
            found.remove(file);
        }
    }

    private static String stamp(BasicFileAttributes attributes) {
        return attributes.lastModifiedTime().toMillis() + "/" + attributes.size();
    }

    private static Path log(Path file) {
        return file.resolveSibling(file.getFileName() + LOG);
    }

    /** Changes whenever an engine has written: into the file, or into the log beside it. */
    private String stampOf(Path file) {
        return stamps.get(file) + " " + stamps.get(log(file));
    }

    private boolean isStale(Path file) {
        Read known = heads.get(file);
        // An engine that was killed leaves its file unchanged: of one that seems to live, look whether it does.
        return known == null || known.head().map(RunHead::live).orElse(false) || !known.stamp().equals(stampOf(file));
    }

    private Read read(Path file) {
        try {
            return new Read(stampOf(file), Optional.of(RunHead.read(file)));
        } catch (RunFileException e) {
            return new Read(stampOf(file), Optional.empty());
        }
    }

    // --- what its owner says ----------------------------------------------------------------------------------------

    private static Path labelFile(Path place) {
        return labelFile(place, !Files.isDirectory(place));
    }

    private static Path labelFile(Path place, boolean single) {
        return single ? place.resolveSibling(place.getFileName() + "." + LABEL) : place.resolve(LABEL);
    }

    private RunLabel labelOf(Path place) {
        boolean single = stamps.containsKey(place);
        Path file = labelFile(place, single);
        String stamp = stamps.get(file);
        if (stamp == null) {
            return RunLabel.NONE;
        }
        Labelled known = labels.get(file);
        if (known == null || !known.stamp().equals(stamp)) {
            known = new Labelled(stamp, RunLabel.read(file));
            labels.put(file, known);
        }
        return known.label();
    }

    /** Writes what the owner says of a run. @throws LibraryException if it cannot be written */
    public void label(LibraryRun run, RunLabel label) {
        label.write(labelFile(run.place()));
        labels.remove(labelFile(run.place()));
    }

    // --- opened elsewhere -------------------------------------------------------------------------------------------

    private boolean isHome(Path place) {
        return place.toAbsolutePath().normalize().startsWith(home);
    }

    private List<Path> elsewhere() {
        Path list = home.resolve(ELSEWHERE);
        if (!Files.isRegularFile(list)) {
            return List.of();
        }
        try (Stream<String> lines = Files.lines(list, StandardCharsets.UTF_8)) {
            return lines.filter(line -> !line.isBlank()).map(Path::of).toList();
        } catch (IOException | java.io.UncheckedIOException | java.nio.file.InvalidPathException e) {
            throw new LibraryException("The list of runs opened elsewhere, " + list + ", cannot be read (" + e.getMessage()
                    + "); delete it, and open those runs again.", e);
        }
    }

    /** Keeps in mind a run file or a folder of them that was opened; does nothing for what lies in the runs folder. */
    public void remember(Path place) {
        Path absolute = place.toAbsolutePath().normalize();
        List<Path> known = elsewhere();
        if (!isHome(absolute) && !known.contains(absolute)) {
            List<Path> now = new ArrayList<>(known);
            now.add(absolute);
            write(now);
        }
    }

    private void write(List<Path> places) {
        Path list = home.resolve(ELSEWHERE);
        Path aside = home.resolve(ELSEWHERE + ".unfinished");
        try {
            Files.createDirectories(home);
            Files.write(aside, places.stream().map(Path::toString).toList(), StandardCharsets.UTF_8);
            Files.move(aside, list, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new LibraryException("The runs folder " + home + " cannot be written (" + e.getMessage()
                    + "); set KEELSCOPE_RUNS to one that can be.", e);
        }
    }

    // --- the trash --------------------------------------------------------------------------------------------------

    /** A run that was taken away, and how it comes back. */
    public final class Removed {
        private final String name;
        private final Map<Path, Path> moved = new LinkedHashMap<>();
        private final List<Path> forgotten = new ArrayList<>();

        private Removed(String name) {
            this.name = name;
        }

        /** What the run was called. */
        public String name() {
            return name;
        }

        /** Brings it back. @throws LibraryException if something has taken its place or it cannot be moved */
        public void undo() {
            List<Path> known = new ArrayList<>(elsewhere());
            known.addAll(forgotten);
            if (!forgotten.isEmpty()) {
                write(known);
            }
            moved.forEach((from, to) -> move(to, from));
        }
    }

    /**
     * Moves a run to the trash of the runs folder; of a run elsewhere only forgets that it was opened, since its files are not the library's.
     *
     * @throws LibraryException if an engine is writing it or it cannot be moved
     */
    public Removed remove(LibraryRun run) {
        Removed removed = new Removed(run.name());
        if (!run.home()) {
            Set<Path> gone = new LinkedHashSet<>(run.arms().stream().map(RunHead::file).toList());
            gone.add(run.place());
            elsewhere().stream().filter(gone::contains).forEach(removed.forgotten::add);
            write(elsewhere().stream().filter(place -> !gone.contains(place)).toList());
            return removed;
        }
        if (run.arms().stream().anyMatch(arm -> RunHead.read(arm.file()).live())) {
            throw new LibraryException("The run " + run.name() + " is being trained; stop it before you delete it.");
        }
        Path trash = home.resolve(TRASH);
        try {
            Files.createDirectories(trash);
        } catch (IOException e) {
            throw new LibraryException("The trash " + trash + " cannot be made (" + e.getMessage() + "); check that the runs folder may be written.", e);
        }
        List<Path> parts = Files.isDirectory(run.place()) ? List.of(run.place()) : besides(run.place());
        try {
            for (Path part : parts) {
                Path to = free(trash, part.getFileName().toString());
                move(part, to);
                removed.moved.put(part, to);
            }
        } catch (LibraryException e) {
            removed.undo();
            throw e;
        }
        return removed;
    }

    /** A single run file and what belongs to it. */
    private static List<Path> besides(Path file) {
        String name = file.getFileName().toString();
        String arm = RunFolder.arm(file);
        return Stream.of(name, name + "-wal", name + "-shm", name + "." + LABEL, arm + ".log")
                .map(file::resolveSibling)
                .filter(Files::exists)
                .toList();
    }

    private static Path free(Path folder, String name) {
        Path to = folder.resolve(name);
        for (int number = 2; Files.exists(to); number++) {
            to = folder.resolve(name + "-" + number);
        }
        return to;
    }

    private static void move(Path from, Path to) {
        if (Files.exists(to)) {
            throw new LibraryException("The run cannot be put back to " + to + ", where something else lies now; move that away first.");
        }
        try {
            Files.move(from, to);
        } catch (IOException e) {
            throw new LibraryException("The run " + from + " cannot be moved to " + to + " (" + e.getMessage() + ").", e);
        }
    }
}
