package keelscope.library;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * What its owner wrote about a run. It lies in a small file beside the run files, which stay as their engines wrote them.
 *
 * @param name what the run is called; empty for the experiment's own name
 * @param star whether it is marked
 * @param tags short words to find it by
 * @param notes any text
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record RunLabel(String name, boolean star, List<String> tags, String notes) {
    /** Nothing was written. */
    public static final RunLabel NONE = new RunLabel("", false, List.of(), "");

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    public RunLabel {
        name = name == null ? "" : name.strip();
        tags = tags == null ? List.of() : tags.stream().map(String::strip).filter(tag -> !tag.isEmpty()).distinct().toList();
        notes = notes == null ? "" : notes;
    }

    public RunLabel withName(String newName) {
        return new RunLabel(newName, star, tags, notes);
    }

    public RunLabel withStar(boolean newStar) {
        return new RunLabel(name, newStar, tags, notes);
    }

    /** @param text tags with commas between them */
    public RunLabel withTags(String text) {
        return new RunLabel(name, star, List.of(text.split(",")), notes);
    }

    public RunLabel withNotes(String newNotes) {
        return new RunLabel(name, star, tags, newNotes);
    }

    /** Reads a label; {@link #NONE} where there is none or what lies there is none. */
    static RunLabel read(Path file) {
        if (!Files.isRegularFile(file)) {
            return NONE;
        }
        try {
            return JSON.readValue(file.toFile(), RunLabel.class);
        } catch (IOException e) {
            // Notes that cannot be read must not hide the run; they are left as they are until their owner writes new ones.
            return NONE;
        }
    }

    /** Writes it aside and puts it in its place. @throws LibraryException with one sentence if it cannot be written */
    void write(Path file) {
        Path aside = file.resolveSibling(file.getFileName() + ".unfinished");
        try {
            Files.write(aside, JSON.writeValueAsBytes(this));
            Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new LibraryException("The notes " + file + " cannot be written (" + e.getMessage() + "); check that its folder may be written.", e);
        }
    }
}
