package keelscope.data;

/**
 * A stream of random numbers that is a function of its key alone, on every machine and in every version (Steele, Lea and
 * Flood, "Fast splittable pseudorandom number generators", 2014).
 */
final class SplitMix64 {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    /** A stream for the key; keys that differ in any part give streams that have nothing to do with one another. */
    SplitMix64(long... key) {
        long mixed = 0;
        for (long part : key) {
            mixed = mix(mixed + GAMMA + part);
        }
        state = mixed;
    }

    long next() {
        state += GAMMA;
        return mix(state);
    }

    /** A uniform number in [0, 1) with 53 bits. */
    double uniform() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    /** A uniform whole number in [0, bound). */
    long below(long bound) {
        // The bias of the product is below bound / 2^64.
        return Math.multiplyHigh(next() >>> 1, bound << 1);
    }

    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
