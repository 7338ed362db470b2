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
import java.util.Set;
import java.util.stream.Stream;
import keelscope.process.RunFolder;
import keelscope.runfile.RunFileException;

/**
 * All runs of a runs folder and those opened elsewhere. Heads are read again only where a file has changed. Knows nothing of the window;
 * its methods wait for the disk and are for a background thread. Not for several threads at once.
 */
public final class RunLibrary {
    private static final String RUN_FILE = ".keelrun";
    private static final String LABEL = "keelscope-notes.json";
    private static final String TRASH = ".trash";
    private static final String ELSEWHERE = ".opened-elsewhere";

    /** Folders below the runs folder that are looked into. */
    private static final int DEPTH = 4;

    private final Path home;
    private final Map<Path, Read> heads = new HashMap<>();

    /** A head, or none where the file could not be read, and what the file looked like then. */
    private record Read(String stamp, java.util.Optional<RunHead> head) {}

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
        Map<Path, List<RunHead>> byPlace = new LinkedHashMap<>();
        Set<Path> seen = new LinkedHashSet<>();
        for (Path file : files().stream().sorted().toList()) {
            seen.add(file);
            head(file).ifPresent(head -> {
                // An arm of an experiment belongs with the others of its folder; what was imported stands for itself.
                boolean single = head.info().experimentYaml().isEmpty();
                byPlace.computeIfAbsent(single ? file : file.getParent(), place -> new ArrayList<>()).add(head);
            });
        }
        heads.keySet().retainAll(seen);
        List<LibraryRun> runs = new ArrayList<>();
        byPlace.forEach((place, arms) -> runs.add(new LibraryRun(place, isHome(place), RunLabel.read(labelFile(place)), arms)));
        runs.sort(Comparator.comparingLong(LibraryRun::createdMs).reversed().thenComparing(run -> run.place().toString()));
        return List.copyOf(runs);
    }

    private List<Path> files() {
        Set<Path> files = new LinkedHashSet<>();
        find(home, DEPTH, files);
        for (Path place : elsewhere()) {
            if (Files.isRegularFile(place)) {
                files.add(place);
            } else if (Files.isDirectory(place)) {
                find(place, 1, files);
            }
        }
        return List.copyOf(files);
    }

    private static void find(Path folder, int depth, Set<Path> files) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try {
            Files.walkFileTree(folder, Set.of(), depth, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) {
                    boolean hidden = !entered.equals(folder) && entered.getFileName().toString().startsWith(".");
                    return hidden ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.getFileName().toString().endsWith(RUN_FILE)) {
                        files.add(file.toAbsolutePath().normalize());
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

    private java.util.Optional<RunHead> head(Path file) {
        String stamp = stamp(file);
        Read known = heads.get(file);
        // An engine that was killed leaves its file unchanged: of one that seems to live, look whether it does.
        boolean settled = known != null && known.head().map(head -> !head.live()).orElse(true);
        if (known != null && settled && known.stamp().equals(stamp)) {
            return known.head();
        }
        Read now;
        try {
            now = new Read(stamp, java.util.Optional.of(RunHead.read(file)));
        } catch (RunFileException e) {
            now = new Read(stamp, java.util.Optional.empty());
        }
        heads.put(file, now);
        return now.head();
    }

    /** Changes whenever an engine has written: into the file, or into the log beside it. */
    private static String stamp(Path file) {
        StringBuilder stamp = new StringBuilder();
        for (String end : List.of("", "-wal")) {
            Path part = file.resolveSibling(file.getFileName() + end);
            try {
                BasicFileAttributes attributes = Files.readAttributes(part, BasicFileAttributes.class);
                stamp.append(attributes.lastModifiedTime().toMillis()).append('/').append(attributes.size()).append(' ');
            } catch (IOException e) {
                stamp.append("- ");
            }
        }
        return stamp.toString();
    }

    // --- what its owner says ----------------------------------------------------------------------------------------

    private static Path labelFile(Path place) {
        return Files.isDirectory(place) ? place.resolve(LABEL) : place.resolveSibling(place.getFileName() + "." + LABEL);
    }

    /** Writes what the owner says of a run. @throws LibraryException if it cannot be written */
    public void label(LibraryRun run, RunLabel label) {
        label.write(labelFile(run.place()));
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
