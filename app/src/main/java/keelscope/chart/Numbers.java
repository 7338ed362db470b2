package keelscope.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as charts write them: a point for decimals in every locale, powers of ten with raised exponents. */
final class Numbers {
    private static final String RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    private Numbers() {}

    /** Four significant digits: {@code 2.413}, {@code 0.01235}, {@code 1.3·10⁻⁷}. */
    static String significant(double value) {
        if (Double.isNaN(value)) {
            return "not a number";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "∞" : "−∞";
        }
        double size = Math.abs(value);
        if (size != 0 && (size < 1e-3 || size >= 1e6)) {
            int exponent = (int) Math.floor(Math.log10(size));
            BigDecimal mantissa = new BigDecimal(value).movePointLeft(exponent).round(new MathContext(3, RoundingMode.HALF_EVEN));
            if (mantissa.abs().compareTo(BigDecimal.TEN) >= 0) {
                mantissa = mantissa.movePointLeft(1);
                exponent++;
            }
            return minus(mantissa.stripTrailingZeros().toPlainString()) + "·10" + raised(exponent);
        }
        return size == 0 ? "0" : decimals(value, Math.max(0, 3 - (int) Math.floor(Math.log10(size))));
    }

    /** Without needless digits: {@code 0.05}, {@code 1}, {@code 200}. */
    static String plain(double value) {
        return minus(new BigDecimal(value).round(new MathContext(6, RoundingMode.HALF_EVEN)).stripTrailingZeros().toPlainString());
    }

    /** Rounded to so many digits after the point. */
    static String decimals(double value, int digits) {
        return minus(new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN).toPlainString());
    }

    /** As {@code m·10ⁿ}, without the m where it is 1. */
    static String power(double value) {
        if (value <= 0) {
            return plain(value);
        }
        int exponent = (int) Math.floor(Math.log10(value) + 1e-9);
        double mantissa = value / Math.pow(10, exponent);
        String raised = exponent == 0 ? "" : "10" + raised(exponent);
        if (Math.abs(mantissa - 1) < 1e-6) {
            return exponent == 0 ? "1" : raised;
        }
        return plain(mantissa) + (exponent == 0 ? "" : "·" + raised);
    }

    /** Large counts: {@code 0}, {@code 50k}, {@code 1.5M}. */
    static String thousands(double value) {
        double size = Math.abs(value);
        if (size >= 1e6) {
            return plain(value / 1e6) + "M";
        }
        return size >= 1e3 ? plain(value / 1e3) + "k" : plain(value);
    }

    /** A whole number with thin spaces between groups of three digits. */
    static String grouped(long value) {
        return String.format(Locale.ROOT, "%,d", value).replace(',', '\u2009');
    }

    static String raised(int exponent) {
        StringBuilder text = new StringBuilder(exponent < 0 ? "⁻" : "");
        for (char digit : Integer.toString(Math.abs(exponent)).toCharArray()) {
            text.append(RAISED.charAt(digit - '0'));
        }
        return text.toString();
    }

    private static String minus(String text) {
        return text.startsWith("-") ? "−" + text.substring(1) : text;
    }
}
