package keelscope.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The program's version, which the build writes down. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        Properties properties = new Properties();
        try (InputStream stream = Version.class.getResourceAsStream("/keelscope/version.properties")) {
            properties.load(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new String[] {"Keelscope " + properties.getProperty("version")};
    }
}
