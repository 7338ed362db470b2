package keelscope.text;

import java.nio.file.Path;
import java.text.MessageFormat;
import java.util.IntSummaryStatistics;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.stream.IntStream;

/** Every word the window says to its user, from one resource bundle ({@code keelscope/messages.properties}). */
public final class Texts {
    private static final ResourceBundle BUNDLE = ResourceBundle.getBundle("keelscope.messages", Locale.ROOT);

    private Texts() {}

    /**
     * The text {@code key}, with {@code {0}}, {@code {1}}, … replaced by {@code values} as they print themselves.
     *
     * @throws java.util.MissingResourceException if there is no such text
     */
    public static String get(String key, Object... values) {
        String text = BUNDLE.getString(key);
        if (values.length == 0) {
            return text;
        }
        Object[] printed = new Object[values.length];
        for (int i = 0; i < values.length; i++) {
            // MessageFormat would group digits ("1,024 layers") and so print what cannot be typed back.
            printed[i] = String.valueOf(values[i]);
        }
        return new MessageFormat(text, Locale.ROOT).format(printed);
    }

    /** How many steps arms take, at least one of them, in words: all the same, or the fewest and the most. */
    public static String steps(IntStream ofArms) {
        IntSummaryStatistics steps = ofArms.summaryStatistics();
        return steps.getMin() == steps.getMax()
                ? get("steps.alike", steps.getMin())
                : get("steps.between", steps.getMin(), steps.getMax());
    }

    /** How many threads an arm has, in words. */
    public static String threads(int threads) {
        return get(threads == 1 ? "status.thread" : "status.threads", threads);
    }

    /** A path as its user would type it: within the home folder it begins with {@code ~}. */
    public static String place(Path path) {
        Path home = Path.of(System.getProperty("user.home"));
        return path.startsWith(home) && !path.equals(home) ? "~" + path.getFileSystem().getSeparator() + home.relativize(path) : path.toString();
    }

    /** A sentence in lines of at most so many letters, broken at spaces; a word longer than a line is broken where the line ends. */
    public static String wrapped(String sentence, int letters) {
        StringBuilder lines = new StringBuilder();
        int begun = 0;
        for (String word : sentence.split(" ")) {
            for (int from = 0; from == 0 || from < word.length(); from += letters) {
                String piece = word.substring(from, Math.min(word.length(), from + letters));
                boolean breaks = !lines.isEmpty() && lines.length() - begun + 1 + piece.length() > letters;
                if (breaks) {
                    lines.append('\n');
                    begun = lines.length();
                } else if (!lines.isEmpty()) {
                    lines.append(' ');
                }
                lines.append(piece);
            }
        }
        return lines.toString();
    }

    /** Whether there is a text {@code key}. */
    public static boolean has(String key) {
        return BUNDLE.containsKey(key);
    }
}
