package keelscope.model;

/** The SplitMix64 generator (Steele, Lea & Flood 2014): one 64-bit state, the same sequence on every machine. */
public final class SplitMix64 {
    private long state;

    public SplitMix64(long seed) {
        state = seed;
    }

    /** The next 64 random bits. */
    public long nextLong() {
        state += 0x9E3779B97F4A7C15L;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** A number in [0, 1) with 53 random bits. */
    public double nextUniform() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }
}
