package keelscope.checkpoint;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints of one arm: files {@code step-000123.safetensors} in the folder {@code ARM.checkpoints} beside its run file. A
 * checkpoint is written aside, forced to the disk and renamed, so that whatever happens each file of that name is whole. The last
 * few are kept and the one with the lowest validation loss. For one engine at a time.
 */
public final class CheckpointStore {

    private static final Pattern NAME = Pattern.compile("step-(\\d{6,10})\\.safetensors");
    private static final String ASIDE = ".tmp";

    /** A disk on which a write failed with less than this left, bytes, is full. */
    private static final long FULL_DISK = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointStore.class);

    private final Path folder;
    private final int keepLast;

    /** A checkpoint in the store, as its header describes it; its numbers have not been looked at. */
    public record Entry(Path file, CheckpointInfo info) {}

    /**
     * @param runFolder the experiment's folder
     * @param arm the arm's name
     * @param keepLast how many of the latest checkpoints are kept, 1 or more
     */
    public CheckpointStore(Path runFolder, String arm, int keepLast) {
        if (keepLast < 1) {
            throw new IllegalArgumentException("keep_last is " + keepLast + "; it must be 1 or more.");
        }
        this.folder = runFolder.resolve(arm + ".checkpoints");
        this.keepLast = keepLast;
    }

    /** The store's folder; it is made with the first checkpoint. */
    public Path folder() {
        return folder;
    }

    /**
     * Writes a checkpoint and removes those no longer kept. When this returns it survives a power cut.
     *
     * @param tensors asked for their numbers one after the other
     * @return its file
     * @throws CheckpointException with one sentence if it cannot be written; those before are as they were
     */
    public Path save(CheckpointInfo info, List<TensorSource> tensors) {
        Path file = folder.resolve(String.format(Locale.ROOT, "step-%06d.safetensors", info.step()));
        Path aside = file.resolveSibling(file.getFileName() + ASIDE);
        try {
            Files.createDirectories(folder);
            removeLeftovers();
            try (FileChannel out = FileChannel.open(
                    aside, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                SafetensorsWriter.write(out, info.toMetadata(), tensors);
                out.force(true);
            }
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            forceFolder();
        } catch (IOException | ReadOnlyFileSystemException e) {
            String why = reason(e, tensors);
            discard(aside, e);
            throw new CheckpointException("The checkpoint of step " + info.step() + " could not be written to " + folder + ": " + why
                    + (files().isEmpty() ? "." : "; the one before is whole."), e);
        } catch (RuntimeException | Error e) {
            discard(aside, e);
            throw e;
        }
        prune(file);
        return file;
    }

    /** The readable checkpoints, by ascending step; damaged ones are left out. */
    public List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        for (Path file : files()) {
            readable(file).ifPresent(entries::add);
        }
        return entries;
    }

    /** The whole checkpoint of the highest step: one that is damaged is passed over. */
    public Optional<Path> latest() {
        try (Checkpoint whole = openLatest(Integer.MAX_VALUE).orElse(null)) {
            return Optional.ofNullable(whole).map(Checkpoint::file);
        }
    }

    /** As {@link #openLatest(int, Consumer)}, saying of damaged ones in the log only. */
    private Optional<Checkpoint> openLatest(int most) {
        return openLatest(most, damaged -> { });
    }

    /**
     * Opens the whole checkpoint of the highest step: one that is damaged is passed over.
     *
     * @param most the highest number of steps it may have taken
     * @param passedOver is told of each damaged one by a sentence
     */
    public Optional<Checkpoint> openLatest(int most, Consumer<String> passedOver) {
        List<Path> files = files();
        for (int i = files.size() - 1; i >= 0; i--) {
            if (step(files.get(i)) > most) {
                continue;
            }
            try {
                return Optional.of(Checkpoint.open(files.get(i)));
            } catch (CheckpointException damaged) {
                LOG.warn("{} It is passed over.", damaged.getMessage());
                passedOver.accept(damaged.getMessage());
            }
        }
        return Optional.empty();
    }

    /** The checkpoint with the lowest validation loss, if any was validated; of equal ones the later. */
    public Optional<Entry> best() {
        return best(entries());
    }

    private static Optional<Entry> best(List<Entry> entries) {
        return entries.stream()
                .filter(e -> Double.isFinite(e.info().validationLoss()))
                .min(Comparator.comparingDouble((Entry e) -> e.info().validationLoss())
                        .thenComparing(Comparator.comparingInt((Entry e) -> e.info().step()).reversed()));
    }

    private List<Path> files() {
        List<Path> files = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return files;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path file : all) {
                if (NAME.matcher(file.getFileName().toString()).matches()) {
                    files.add(file);
                }
            }
        } catch (IOException e) {
            throw new CheckpointException("The checkpoints in " + folder + " cannot be listed: " + reason(e) + ".", e);
        }
        files.sort(Comparator.comparingLong(CheckpointStore::step));
        return files;
    }

    private static long step(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() ? Long.parseLong(name.group(1)) : -1;
    }

    private static Optional<Entry> readable(Path file) {
        try {
            return Optional.of(new Entry(file, Checkpoint.info(file)));
        } catch (CheckpointException damaged) {
            return Optional.empty();
        }
    }

    /** What a killed engine was writing. */
    private void removeLeftovers() throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "step-*" + ASIDE)) {
            for (Path file : all) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Makes the rename itself durable. Windows has no such call; its rename is journalled by the file system. */
    private void forceFolder() throws IOException {
        if (File.separatorChar == '\\') {
            return;
        }
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    /** Removes what is neither among the last nor the best; a damaged file is left for its owner to judge. */
    private void prune(Path justWritten) {
        List<Entry> entries = entries();
        Set<Path> kept = new HashSet<>();
        kept.add(justWritten);
        entries.subList(Math.max(0, entries.size() - keepLast), entries.size()).forEach(e -> kept.add(e.file()));
        best(entries).ifPresent(e -> kept.add(e.file()));
        for (Entry entry : entries) {
            if (!kept.contains(entry.file())) {
                try {
                    Files.deleteIfExists(entry.file());
                } catch (IOException e) {
                    LOG.warn("The old checkpoint {} could not be removed: {}.", entry.file(), reason(e));
                }
            }
        }
    }

    private static void discard(Path aside, Throwable because) {
        try {
            Files.deleteIfExists(aside);
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }

    /** Why a checkpoint could not be written; asked while the part that was written still stands. */
    private String reason(Exception e, List<TensorSource> tensors) {
        long needed = tensors.stream().mapToLong(t -> t.info().bytes()).sum();
        try {
            if (Files.isDirectory(folder) && Files.getFileStore(folder).getUsableSpace() < Math.min(needed, FULL_DISK)) {
                return String.format(Locale.ROOT, "the disk is full and it needs %.1f MB, so free some space", needed / 1e6);
            }
        } catch (IOException spaceUnknown) {
            e.addSuppressed(spaceUnknown);
        }
        return reason(e);
    }

    private static String reason(Exception e) {
        if (e instanceof AccessDeniedException) {
            return "the folder may not be written to";
        }
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
    }
}
