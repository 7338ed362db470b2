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
        command.addAll(flags(Runtime.version().feature()));
        command.add("-cp");
        command.add(classPath);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return command;
    }

    /** What a Java of this version must be told so that it does not warn of native libraries; as in app/keelscope. */
    static List<String> flags(int javaVersion) {
        return javaVersion < 22 ? List.of() : List.of("--enable-native-access=ALL-UNNAMED");
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
