package keelscope.device;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The processor, as Linux describes it.
 *
 * @param vendor its maker's name for itself, empty where it is not known
 * @param avx512 whether it has the instructions of AVX-512
 */
public record Processor(String vendor, boolean avx512) {

    /** This machine's. */
    public static final Processor HERE = read(Path.of("/proc/cpuinfo"));

    private static final String AMD = "AuthenticAMD";

    static Processor read(Path cpuinfo) {
        try {
            return parse(Files.readString(cpuinfo, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return new Processor("", false); // another system than Linux
        }
    }

    static Processor parse(String cpuinfo) {
        return new Processor(field(cpuinfo, "vendor_id"), (" " + field(cpuinfo, "flags") + " ").contains(" avx512f "));
    }

    private static String field(String cpuinfo, String name) {
        Matcher line = Pattern.compile("(?m)^" + name + "\\s*:\\s*(.*)$").matcher(cpuinfo);
        return line.find() ? line.group(1).strip() : "";
    }

    /**
     * PyTorch multiplies matrices by MKL, which does not use AVX-512 on processors of AMD's; oneDNN, which PyTorch brings along
     * too, does.
     */
    public boolean multipliesFasterByOneDnn() {
        return vendor.equals(AMD) && avx512;
    }
}
