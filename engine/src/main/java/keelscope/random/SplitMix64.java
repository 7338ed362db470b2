package keelscope.random;

/**
 * The SplitMix64 generator (Steele, Lea & Flood, "Fast splittable pseudorandom number generators", 2014): one 64-bit state, the
 * same sequence on every machine and in every version.
 */
public final class SplitMix64 {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    /** The sequence that starts at a state. */
    public SplitMix64(long state) {
        this.state = state;
    }

    /** The sequence of a key; keys that differ in any part give sequences that have nothing to do with one another. */
    public static SplitMix64 of(long... key) {
        long mixed = 0;
        for (long part : key) {
            mixed = mix(mixed + GAMMA + part);
        }
        return new SplitMix64(mixed);
    }

    /** The next 64 random bits. */
    public long next() {
        state += GAMMA;
        return mix(state);
    }

    /** A number in [0, 1) with 53 random bits. */
    public double uniform() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    /** A uniform whole number in [0, bound). */
    public long below(long bound) {
        // The bias of the product is below bound / 2^64.
        return Math.multiplyHigh(next() >>> 1, bound << 1);
    }

    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
