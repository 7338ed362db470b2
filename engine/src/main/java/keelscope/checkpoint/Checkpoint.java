package keelscope.checkpoint;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A checkpoint opened for reading: parameters by their names ({@code blocks.0.attention.wq.weight}, …), and AdamW's averages as
 * {@code optimizer.exp_avg.NAME} and {@code optimizer.exp_avg_sq.NAME}. It is a safetensors file that any program can load.
 * Not safe for use by several threads.
 */
public final class Checkpoint implements AutoCloseable {

    private final Path file;
    private final SafetensorsReader reader;
    private final CheckpointInfo info;

    private Checkpoint(Path file, SafetensorsReader reader, CheckpointInfo info) {
        this.file = file;
        this.reader = reader;
        this.info = info;
    }

    /**
     * Opens a checkpoint and reads all of it once, to compare it with its checksum.
     *
     * @throws CheckpointException with one sentence if it is missing, damaged, another program's or of a newer format
     */
    public static Checkpoint open(Path file) {
        SafetensorsReader reader = SafetensorsReader.open(file);
        try {
            CheckpointInfo info = CheckpointInfo.fromMetadata(file.toString(), reader.metadata());
            reader.verify();
            return new Checkpoint(file, reader, info);
        } catch (RuntimeException e) {
            reader.close();
            throw e;
        }
    }

    /** What it says about itself, from its header alone; its numbers are not checked. */
    static CheckpointInfo info(Path file) {
        try (SafetensorsReader reader = SafetensorsReader.open(file)) {
            return CheckpointInfo.fromMetadata(file.toString(), reader.metadata());
        }
    }

    /** The name of AdamW's average of gradients for a parameter. */
    public static String averageName(String parameter) {
        return "optimizer.exp_avg." + parameter;
    }

    /** The name of AdamW's average of squared gradients for a parameter. */
    public static String squareName(String parameter) {
        return "optimizer.exp_avg_sq." + parameter;
    }

    public Path file() {
        return file;
    }

    public CheckpointInfo info() {
        return info;
    }

    /** What tensors it holds. */
    public List<TensorInfo> tensors() {
        return reader.tensors();
    }

    /**
     * Refuses a checkpoint of another model.
     *
     * @param model this run's {@link CheckpointInfo#model()}
     * @throws CheckpointException naming every difference
     */
    public void requireModel(Map<String, String> model) {
        TreeSet<String> names = new TreeSet<>(model.keySet());
        names.addAll(info.model().keySet());
        List<String> differences = new ArrayList<>();
        for (String name : names) {
            String there = info.model().getOrDefault(name, "not set");
            String here = model.getOrDefault(name, "not set");
            if (!there.equals(here)) {
                differences.add(name + " is " + there + " there and " + here + " here");
            }
        }
        refuseIfAny("is of another model", differences);
    }

    /** Refuses a checkpoint whose training saw other data. */
    public void requireData(String dataHash) {
        if (!info.dataHash().equals(dataHash)) {
            throw new CheckpointException("The checkpoint " + file + " was trained on other data (hash " + brief(info.dataHash())
                    + " there, " + brief(dataHash) + " here); choose the text it was trained on.");
        }
    }

    /**
     * Refuses a checkpoint whose tensors are not exactly those expected.
     *
     * @throws CheckpointException naming up to three differences
     */
    public void requireTensors(Collection<TensorInfo> expected) {
        Map<String, TensorInfo> held = new LinkedHashMap<>();
        tensors().forEach(t -> held.put(t.name(), t));
        List<String> differences = new ArrayList<>();
        for (TensorInfo here : expected) {
            TensorInfo there = held.remove(here.name());
            if (there == null) {
                differences.add(here.name() + " is missing");
            } else if (!there.equals(here)) {
                differences.add(here.name() + " is " + there.dtype() + there.shape() + " there and " + here.dtype() + here.shape()
                        + " here");
            }
        }
        held.keySet().forEach(name -> differences.add(name + " is not part of the model"));
        refuseIfAny("does not fit the model", differences);
    }

    /**
     * Reads part of a tensor into the whole rest of a buffer.
     *
     * @param from first byte to read, from the tensor's start
     * @throws CheckpointException if there is no such tensor or the file cannot be read
     */
    public void read(String name, long from, ByteBuffer into) {
        reader.read(name, from, into);
    }

    /**
     * Reads a tensor of up to 2 GB whole.
     *
     * @return a direct little-endian buffer, ready to be read
     * @throws CheckpointException if there is no such tensor or the file cannot be read
     */
    public ByteBuffer read(String name) {
        long bytes = reader.tensor(name).bytes();
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("Tensor " + name + " has " + bytes + " bytes; read it in parts.");
        }
        ByteBuffer buffer = ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.LITTLE_ENDIAN);
        reader.read(name, 0, buffer);
        return buffer.flip();
    }

    @Override
    public void close() {
        reader.close();
    }

    private void refuseIfAny(String what, List<String> differences) {
        if (differences.isEmpty()) {
            return;
        }
        int shown = Math.min(3, differences.size());
        String more = differences.size() > shown ? ", and " + (differences.size() - shown) + " more differ" : "";
        throw new CheckpointException(
                "The checkpoint " + file + " " + what + ": " + String.join(", ", differences.subList(0, shown)) + more + ".");
    }

    private static String brief(String hash) {
        return hash.length() <= 12 ? hash : hash.substring(0, 12) + "…";
    }
}
