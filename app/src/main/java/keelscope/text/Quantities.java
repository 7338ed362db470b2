package keelscope.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Quantities as a person reads them: few digits and a unit. */
public final class Quantities {

    private static final Pattern NUMBER =
            Pattern.compile("[-+]?[0-9]*\\.?[0-9]+([eE][-+]?[0-9]+)?|[-+]?[0-9]+\\.([eE][-+]?[0-9]+)?");

    private Quantities() {}

    /** A number as it is typed, the decimal sign being a point or a comma ({@code 0,003}); empty where it is none. */
    public static OptionalDouble parse(String typed) {
        // A comma as the decimal sign is how much of the world writes it.
        String plain = typed.strip().replace(',', '.');
        return NUMBER.matcher(plain).matches() ? OptionalDouble.of(Double.parseDouble(plain)) : OptionalDouble.empty();
    }

    /** A count, for example {@code 950}, {@code 12.3 thousand} or {@code 3.41 million}. */
    public static String count(long value) {
        if (value < 10_000) {
            return Long.toString(value);
        }
        if (value < 1_000_000) {
            return Texts.get("quantity.thousand", significant(value / 1e3));
        }
        if (value < 1_000_000_000) {
            return Texts.get("quantity.million", significant(value / 1e6));
        }
        return Texts.get("quantity.billion", significant(value / 1e9));
    }

    /** A size of memory in decimal units, for example {@code 557 MB}. */
    public static String bytes(long value) {
        if (value < 1_000_000) {
            return Texts.get("quantity.kilobytes", significant(value / 1e3));
        }
        if (value < 1_000_000_000) {
            return Texts.get("quantity.megabytes", significant(value / 1e6));
        }
        return Texts.get("quantity.gigabytes", significant(value / 1e9));
    }

    /** A length of time, for example {@code 8 s}, {@code 2 min 10 s} or {@code 3 h 20 min}. */
    public static String duration(Duration time) {
        long seconds = Math.max(0, Math.round(time.toMillis() / 1000.0));
        if (seconds < 60) {
            return Texts.get("quantity.seconds", seconds);
        }
        if (seconds < 3600) {
            return Texts.get("quantity.minutes", seconds / 60, seconds % 60);
        }
        if (seconds < 86_400) {
            return Texts.get("quantity.hours", seconds / 3600, seconds % 3600 / 60);
        }
        return Texts.get("quantity.days", seconds / 86_400, seconds % 86_400 / 3600);
    }

    /** A number as it would be typed: {@code 0.003}, {@code 64}, {@code 1e-7}. */
    public static String number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Double.toString(value);
        }
        BigDecimal exact = BigDecimal.valueOf(value).stripTrailingZeros();
        if (exact.signum() == 0) {
            return "0";
        }
        int exponent = exact.precision() - exact.scale() - 1;
        if (exponent >= -4 && exponent < 7) {
            return exact.toPlainString();
        }
        String digits = exact.unscaledValue().toString();
        String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
        return digits.charAt(0) + fraction + "e" + exponent;
    }

    /** Three significant digits, never in scientific notation. */
    public static String significant(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return String.format(Locale.ROOT, "%s", value);
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(3));
        int exponent = rounded.precision() - rounded.scale() - 1;
        return rounded.setScale(Math.max(0, 2 - exponent), RoundingMode.HALF_EVEN).toPlainString();
    }
}
