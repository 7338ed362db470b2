package keelscope.device;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The builds of PyTorch that this program can load. */
final class PyTorchBuild {

    /**
     * DJL's name of the CUDA build. There is one for each release of PyTorch it supports: the folder in {@code pytorch-jni} beside
     * {@code cpu}.
     */
    static final String CUDA = "cu128";

    private PyTorchBuild() {}

    /** Version of PyTorch that DJL's engine on the class path is made for, for example {@code 2.7.1}. */
    static String version() {
        try (InputStream stream = PyTorchBuild.class.getResourceAsStream("/pytorch-engine.properties")) {
            Properties properties = new Properties();
            if (stream != null) {
                properties.load(stream);
            }
            return properties.getProperty("pytorch_version", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether DJL can load the CUDA build on a platform, for example {@code linux-x86_64}. */
    static boolean hasCuda(String platform) {
        String library = platform.startsWith("win") ? "djl_torch.dll" : "libdjl_torch.so";
        return PyTorchBuild.class.getResource("/jnilib/" + platform + "/" + CUDA + "/" + library) != null;
    }
}
