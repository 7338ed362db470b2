package keelscope.data;

import keelscope.random.SplitMix64;

/**
 * Nested expressions modulo p. Tokens 0 to p − 1 are the numbers; then come +, −, ×, (, ), = and a pad. A row is filled with
 * expressions, each followed by = and its value; what is asked is the value, at the =. Every sum inside another has brackets,
 * so no order of operations is needed. Each expression is by itself held out or not.
 */
final class ArithmeticTask extends TaskSource {
    private static final int MOST_NUMBERS = 16;
    /** Two numbers, the sign between them, = and the value. */
    private static final int SHORTEST = 5;

    private final int modulus;
    private final int plus;

    ArithmeticTask(int modulus, double validationShare, int sequence) {
        super("arithmetic: nested expressions of up to " + MOST_NUMBERS + " numbers modulo " + modulus, validationShare);
        this.modulus = modulus;
        this.plus = modulus;
        if (sequence < SHORTEST) {
            throw new DataException("A sequence of " + sequence + " tokens is too short for an expression; allowed are at least "
                    + SHORTEST + " tokens.");
        }
    }

    private int minus() {
        return plus + 1;
    }

    private int opening() {
        return plus + 3;
    }

    private int closing() {
        return plus + 4;
    }

    private int equal() {
        return plus + 5;
    }

    private int pad() {
        return plus + 6;
    }

    @Override
    public int vocabulary() {
        return modulus + 7;
    }

    /** Tokens of an expression of so many numbers: they, the signs between them, and brackets but for the outermost. */
    private static int length(int numbers) {
        return numbers + numbers - 1 + 2 * (numbers - 2);
    }

    @Override
    void row(SplitMix64 random, boolean heldOut, int[] ids, int[] targets) {
        int at = 0;
        while (ids.length - at >= SHORTEST) {
            int from = at;
            int room = ids.length - at - 2;
            int[] end = new int[2];
            until(ids.length, () -> {
                int most = 2;
                while (most < MOST_NUMBERS && length(most + 1) <= room) {
                    most++;
                }
                Writer writer = new Writer(random, ids, from);
                end[0] = writer.expression(2 + (int) random.below(most - 1), true);
                end[1] = writer.at;
                return isHeldOut(ids, from, writer.at) == heldOut;
            });
            ids[end[1]] = equal();
            targets[end[1]] = end[0];
            ids[end[1] + 1] = end[0];
            at = end[1] + 2;
        }
        java.util.Arrays.fill(ids, at, ids.length, pad());
    }

    /** Writes a random expression and reckons it. */
    private final class Writer {
        private final SplitMix64 random;
        private final int[] ids;
        private int at;

        Writer(SplitMix64 random, int[] ids, int at) {
            this.random = random;
            this.ids = ids;
            this.at = at;
        }

        int expression(int numbers, boolean outermost) {
            if (numbers == 1) {
                int number = (int) random.below(modulus);
                ids[at++] = number;
                return number;
            }
            if (!outermost) {
                ids[at++] = opening();
            }
            int left = 1 + (int) random.below(numbers - 1);
            int a = expression(left, false);
            int sign = plus + (int) random.below(3);
            ids[at++] = sign;
            int b = expression(numbers - left, false);
            if (!outermost) {
                ids[at++] = closing();
            }
            int value = sign == plus ? a + b : sign == minus() ? a - b : a * b;
            return Math.floorMod(value, modulus);
        }
    }
}
