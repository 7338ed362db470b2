package keelscope.model;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A TorchScript module in memory, in PyTorch's file format: a zip of {@code code/__torch__.py} (text in PyTorch's Python-like
 * dialect), {@code data.pkl} (the pickled module, here with empty lists for attributes), {@code constants.pkl} and {@code version}.
 */
final class ModuleArchive {

    private ModuleArchive() {}

    /**
     * Packs a module.
     *
     * @param className the module's class in {@code code}
     * @param code the text of {@code __torch__.py}
     * @param tensorLists attributes of type {@code List[Tensor]}, empty at first
     * @param intLists attributes of type {@code List[int]}, empty at first
     * @param floatLists attributes of type {@code List[float]}, empty at first
     */
    static byte[] pack(String className, String code, List<String> tensorLists, List<String> intLists, List<String> floatLists) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(file)) {
            store(zip, "data.pkl", pickle(className, tensorLists, intLists, floatLists));
            store(zip, "constants.pkl", new byte[] {(byte) 0x80, 2, ')', '.'});
            store(zip, "version", ascii("3\n"));
            store(zip, "code/__torch__.py", code.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
        return file.toByteArray();
    }

    /** Pickle protocol 2: an object of the class, its attributes set from a dictionary. */
    private static byte[] pickle(String className, List<String> tensorLists, List<String> intLists, List<String> floatLists) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {(byte) 0x80, 2});
        out.writeBytes(ascii("c__torch__\n" + className + "\n"));
        out.write(')');
        out.write(0x81); // NEWOBJ
        out.writeBytes(ascii("}("));
        text(out, "training");
        out.write(0x88); // True
        lists(out, tensorLists, "build_tensorlist");
        lists(out, intLists, "build_intlist");
        lists(out, floatLists, "build_doublelist");
        out.writeBytes(ascii("ub."));
        return out.toByteArray();
    }

    private static void lists(ByteArrayOutputStream out, List<String> names, String builder) {
        for (String name : names) {
            text(out, name);
            out.writeBytes(ascii("ctorch.jit._pickle\n" + builder + "\n]"));
            out.write(0x85); // TUPLE1
            out.write('R');
        }
    }

    private static void text(ByteArrayOutputStream out, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        out.write('X');
        out.writeBytes(new byte[] {(byte) bytes.length, 0, 0, 0});
        out.writeBytes(bytes);
    }

    private static void store(ZipOutputStream zip, String name, byte[] content) throws IOException {
        ZipEntry entry = new ZipEntry("keelscope/" + name);
        CRC32 crc = new CRC32();
        crc.update(content);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(content.length);
        entry.setCrc(crc.getValue());
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
