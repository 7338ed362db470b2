package keelscope.export;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import keelscope.runfile.Failure;

/** Reads the scalars of TensorBoard event files, of whatever program wrote them (simple values as well as scalar tensors). */
public final class TensorBoardLog {

    private static final int FLOAT = 1;
    private static final int DOUBLE = 2;
    /** A record of this length is damage: events of scalars have some hundred bytes, those with pictures some million. */
    private static final long RECORD_MAX = 1L << 30;

    private final Path file;
    private final ScalarLog log;

    private TensorBoardLog(Path file, ScalarLog log) {
        this.file = file;
        this.log = log;
    }

    /**
     * Reads an event file, or all of a folder in the order of their names, so that what was written after a restart counts.
     *
     * @throws ExportException with one sentence if there is none, or one is damaged; a file that ends within a record is read up to it,
     *     since it may be being written
     */
    public static ScalarLog read(Path fileOrFolder, Progress progress) {
        ScalarLog log = new ScalarLog();
        try {
            List<Path> files = files(fileOrFolder);
            if (files.isEmpty()) {
                throw new ExportException("There is no TensorBoard event file in " + fileOrFolder
                        + "; choose a folder with a file whose name has tfevents in it.");
            }
            for (int i = 0; i < files.size(); i++) {
                progress.check((double) i / files.size());
                new TensorBoardLog(files.get(i), log).read(progress);
            }
        } catch (IOException e) {
            throw new ExportException(fileOrFolder + " cannot be read: " + Failure.reason(e) + ".", e);
        }
        return log;
    }

    private static List<Path> files(Path fileOrFolder) throws IOException {
        if (!Files.isDirectory(fileOrFolder)) {
            return List.of(fileOrFolder);
        }
        try (Stream<Path> all = Files.list(fileOrFolder)) {
            return all.filter(f -> f.getFileName().toString().contains("tfevents")).sorted().toList();
        }
    }

    private void read(Progress progress) throws IOException {
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            long length = in.size();
            long at = 0;
            ByteBuffer head = ByteBuffer.allocate(EventRecords.HEAD).order(ByteOrder.LITTLE_ENDIAN);
            for (int records = 0; at + EventRecords.HEAD <= length; records++) {
                if (records % 1000 == 0) {
                    progress.check((double) at / length);
                }
                fill(in, head.clear(), at);
                long size = head.getLong(0);
                if (head.getInt(8) != EventRecords.maskedChecksum(head.duplicate().position(0).limit(8)) || size < 0 || size > RECORD_MAX) {
                    throw damaged(at, "the length of a record does not match its checksum");
                }
                if (at + EventRecords.HEAD + size + EventRecords.TAIL > length) {
                    break;
                }
                ByteBuffer record = ByteBuffer.allocate((int) size + EventRecords.TAIL).order(ByteOrder.LITTLE_ENDIAN);
                fill(in, record, at + EventRecords.HEAD);
                ByteBuffer data = record.slice(0, (int) size);
                if (record.getInt((int) size) != EventRecords.maskedChecksum(data.duplicate())) {
                    throw damaged(at, "a record does not match its checksum");
                }
                try {
                    event(new ProtoReader(data));
                } catch (ProtoReader.Malformed e) {
                    throw damaged(at, e.getMessage());
                }
                at += EventRecords.HEAD + size + EventRecords.TAIL;
            }
            if (at == 0) {
                throw new ExportException(file + " is not a TensorBoard event file, or it is empty.");
            }
        }
    }

    private void event(ProtoReader event) throws ProtoReader.Malformed {
        double time = 0;
        long step = 0;
        ByteBuffer summary = ByteBuffer.allocate(0);
        while (event.next()) {
            if (event.is(1, ProtoWriter.FIXED64)) {
                time = event.fixed64();
            } else if (event.is(2, ProtoWriter.VARINT)) {
                step = event.varint();
            } else if (event.is(5, ProtoWriter.LENGTH)) {
                summary = event.bytes();
            } else {
                event.skip();
            }
        }
        ProtoReader values = new ProtoReader(summary);
        while (values.next()) {
            if (values.is(1, ProtoWriter.LENGTH)) {
                value(values.message(), step, time);
            } else {
                values.skip();
            }
        }
    }

    private void value(ProtoReader value, long step, double time) throws ProtoReader.Malformed {
        String tag = "";
        double scalar = 0;
        boolean isScalar = false;
        while (value.next()) {
            if (value.is(1, ProtoWriter.LENGTH)) {
                tag = value.text();
            } else if (value.is(2, ProtoWriter.FIXED32)) {
                scalar = value.fixed32();
                isScalar = true;
            } else if (value.is(8, ProtoWriter.LENGTH)) {
                double[] numbers = tensor(value.message());
                isScalar = numbers.length == 1;
                scalar = isScalar ? numbers[0] : 0;
            } else {
                value.skip();
            }
        }
        if (isScalar) {
            if (step < 0 || step > Integer.MAX_VALUE) {
                throw new ProtoReader.Malformed("step " + step + " of " + tag + " lies outside 0 to " + Integer.MAX_VALUE);
            }
            log.add(tag, (int) step, scalar, Math.round(time * 1000));
        }
    }

    /** The numbers of a tensor of floats or doubles; none of any other. */
    private static double[] tensor(ProtoReader tensor) throws ProtoReader.Malformed {
        long type = 0;
        ByteBuffer content = ByteBuffer.allocate(0);
        double[] listed = {};
        while (tensor.next()) {
            if (tensor.is(1, ProtoWriter.VARINT)) {
                type = tensor.varint();
            } else if (tensor.is(4, ProtoWriter.LENGTH)) {
                content = tensor.bytes();
            } else if (tensor.is(5, ProtoWriter.LENGTH)) {
                listed = floats(tensor.bytes());
            } else if (tensor.is(5, ProtoWriter.FIXED32)) {
                listed = new double[] {tensor.fixed32()};
            } else if (tensor.is(6, ProtoWriter.LENGTH)) {
                listed = doubles(tensor.bytes());
            } else if (tensor.is(6, ProtoWriter.FIXED64)) {
                listed = new double[] {tensor.fixed64()};
            } else {
                tensor.skip();
            }
        }
        if (!content.hasRemaining()) {
            return listed;
        }
        return type == FLOAT ? floats(content) : type == DOUBLE ? doubles(content) : new double[0];
    }

    private static double[] floats(ByteBuffer bytes) {
        double[] values = new double[bytes.remaining() / Float.BYTES];
        for (int i = 0; i < values.length; i++) {
            values[i] = bytes.getFloat();
        }
        return values;
    }

    private static double[] doubles(ByteBuffer bytes) {
        double[] values = new double[bytes.remaining() / Double.BYTES];
        for (int i = 0; i < values.length; i++) {
            values[i] = bytes.getDouble();
        }
        return values;
    }

    private void fill(FileChannel in, ByteBuffer into, long from) throws IOException {
        while (into.hasRemaining()) {
            if (in.read(into, from + into.position()) < 0) {
                throw new IOException("the file ended while it was read");
            }
        }
    }

    private ExportException damaged(long at, String why) {
        return new ExportException(file + " is damaged or not a TensorBoard event file: " + why + " (byte " + at + ").");
    }
}
