package keelscope.export;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import keelscope.runfile.Failure;

/**
 * Reads a log in CSV: a header line, then a line a step. The columns are parted by comma, semicolon or tab, whichever the header has
 * most of; with semicolons or tabs a decimal comma is understood. One column holds the steps (named step, global_step, iteration, iter,
 * or epoch where there is none of these; without any, lines are counted from 0). Empty cells and columns that hold text are left out.
 */
public final class CsvLog {

    private static final List<String> STEP_NAMES = List.of("step", "steps", "global_step", "iteration", "iter", "epoch");
    private static final Set<String> ABSENT = Set.of("", "none", "null", "na", "n/a", "-");
    private static final Set<String> NOT_A_NUMBER = Set.of("nan");

    private CsvLog() {}

    /** @throws ExportException with one sentence, naming the line, if it cannot be read as such a log */
    public static ScalarLog read(Path file, Progress progress) {
        ScalarLog log = new ScalarLog();
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            long size = Math.max(1, Files.size(file));
            String header = lines.readLine();
            if (header == null || header.isBlank()) {
                throw new ExportException(file + " has no header line with the names of its columns.");
            }
            char separator = separator(header);
            List<String> names = cells(header.startsWith("\uFEFF") ? header.substring(1) : header, separator);
            int stepColumn = stepColumn(names);
            long read = header.length();
            int number = 1;
            int counted = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                read += line.length() + 1L;
                if (number % 10_000 == 0) {
                    progress.check(Math.min(1, (double) read / size));
                }
                if (line.isBlank() || line.startsWith("#")) {
                    continue;
                }
                List<String> cells = cells(line, separator);
                if (cells.size() != names.size()) {
                    throw new ExportException(file + " has " + cells.size() + " cells in line " + number + " and " + names.size()
                            + " columns in its header.");
                }
                int step = stepColumn < 0 ? counted : step(file, number, cells.get(stepColumn), separator);
                counted++;
                for (int i = 0; i < cells.size(); i++) {
                    double value = i == stepColumn ? Double.NaN : number(cells.get(i), separator);
                    if (i != stepColumn && (!Double.isNaN(value) || NOT_A_NUMBER.contains(cells.get(i).strip().toLowerCase(Locale.ROOT)))) {
                        log.add(names.get(i).strip(), step, value, 0);
                    }
                }
            }
        } catch (CharacterCodingException e) {
            throw new ExportException(file + " is not a text in UTF-8, so it cannot be read as CSV.", e);
        } catch (NoSuchFileException e) {
            throw new ExportException("There is no file " + file + ".", e);
        } catch (IOException e) {
            throw new ExportException(file + " cannot be read: " + Failure.reason(e) + ".", e);
        }
        return log;
    }

    private static char separator(String header) {
        char best = ',';
        for (char c : new char[] {';', '\t'}) {
            if (count(header, c) > count(header, best)) {
                best = c;
            }
        }
        return best;
    }

    private static long count(String text, char c) {
        return text.chars().filter(x -> x == c).count();
    }

    private static int stepColumn(List<String> names) {
        List<String> lower = names.stream().map(n -> n.strip().toLowerCase(Locale.ROOT)).toList();
        return STEP_NAMES.stream().mapToInt(lower::indexOf).filter(i -> i >= 0).findFirst().orElse(-1);
    }

    private static int step(Path file, int line, String cell, char separator) {
        double step = number(cell, separator);
        if (step != Math.rint(step) || step < 0 || step > Integer.MAX_VALUE) {
            throw new ExportException(file + " has the step \"" + cell + "\" in line " + line + "; steps are whole numbers from 0.");
        }
        return (int) step;
    }

    /** The number in a cell, NaN where it holds none. */
    private static double number(String cell, char separator) {
        String text = cell.strip();
        if (ABSENT.contains(text.toLowerCase(Locale.ROOT))) {
            return Double.NaN;
        }
        if (separator != ',' && text.indexOf('.') < 0) {
            text = text.replace(',', '.');
        }
        switch (text.toLowerCase(Locale.ROOT)) {
            case "inf", "+inf", "infinity", "+infinity" -> {
                return Double.POSITIVE_INFINITY;
            }
            case "-inf", "-infinity" -> {
                return Double.NEGATIVE_INFINITY;
            }
            default -> {
                try {
                    return Double.parseDouble(text);
                } catch (NumberFormatException textColumn) {
                    return Double.NaN;
                }
            }
        }
    }

    private static List<String> cells(String line, char separator) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                cell.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
