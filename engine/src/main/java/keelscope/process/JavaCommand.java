package keelscope.process;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that starts another main class of this program, with the Java and the class path this process runs on. */
public final class JavaCommand {

    private JavaCommand() {}

    /**
     * The command as {@link ProcessBuilder} takes it; further flags of Java go in at index 1.
     *
     * @param main the class to start
     * @param arguments its arguments
     */
    public static List<String> of(Class<?> main, String... arguments) {
        return of(System.getProperty("java.class.path"), main, arguments);
    }

    /** The same with another class path. */
    public static List<String> of(String classPath, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags());
        command.add("-cp");
        command.add(classPath);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return command;
    }

    /** Flags that every process of this program is started with, on the Java that this process runs on. */
    static List<String> flags() {
        return flags(Runtime.version().feature());
    }

    /** The same on a Java of another version; app/keelscope has them too. */
    static List<String> flags(int javaVersion) {
        List<String> flags = new ArrayList<>();
        // Else DJL reports its use to its makers, and looks for Amazon's servers first: up to four seconds where nothing answers.
        flags.add("-DOPT_OUT_TRACKING=true");
        // As the launcher found it in the environment.
        flags.add("-Duser.home=" + System.getProperty("user.home"));
        // From 24 on Java warns of native libraries that nobody allowed.
        if (javaVersion >= 22) {
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        return List.copyOf(flags);
    }

    /** This process's class path without the entries whose file name starts with {@code prefix}. */
    public static String classPathWithout(String prefix) {
        List<String> kept = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!new File(entry).getName().startsWith(prefix)) {
                kept.add(entry);
            }
        }
        return String.join(File.pathSeparator, kept);
    }
}
