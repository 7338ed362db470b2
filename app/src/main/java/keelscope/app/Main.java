package keelscope.app;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javafx.application.Application;
import keelscope.text.Texts;

/**
 * Where the program begins: an engine's command goes to the engine's command line; without a display the experiment is
 * trained headless; else the window opens.
 */
public final class Main {
    /** First arguments, besides its commands, that belong to the engine's command line. */
    private static final Set<String> HELP = Set.of("help", "-h", "--help", "-V", "--version");

    private static final String HEADLESS = "--headless";

    private Main() {}

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals("export") && PictureExport.isAskedFor(args)) {
            System.exit(PictureExport.run(args, System.out, System.err));
        }
        if (args.length > 0 && isCommand(args[0])) {
            keelscope.cli.Main.main(args);
            return;
        }
        if (Arrays.asList(args).contains(HEADLESS) || !hasDisplay()) {
            List<String> rest = new ArrayList<>(Arrays.asList(args));
            rest.remove(HEADLESS);
            System.exit(new Headless(System.out, System.err).run(rest));
        }
        JavaFxLog.quieten();
        try {
            // Not a subclass of Application: on a class path, Java would then demand JavaFX as modules.
            Application.launch(KeelscopeApp.class, args);
        } catch (RuntimeException | LinkageError e) {
            if (KeelscopeApp.begun()) {
                throw e;
            }
            System.exit(again(args, e));
        }
    }

    private static boolean isCommand(String word) {
        return HELP.contains(word) || keelscope.cli.Main.commandLine().getSubcommands().containsKey(word);
    }

    private static boolean hasDisplay() {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (system.contains("win") || system.contains("mac")) {
            return true;
        }
        // JavaFX 21 draws through X11 (XWayland under Wayland).
        String display = System.getenv("DISPLAY");
        return display != null && !display.isBlank();
    }

    /** Starts this program once more without a display, since JavaFX cannot choose another platform any more. */
    private static int again(String[] args, Throwable why) {
        System.err.println(Texts.get("headless.display", why.getMessage()));
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), HEADLESS));
        command.addAll(Arrays.asList(args));
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            System.err.println(Texts.get("headless.failed", e.getMessage()));
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }
}
