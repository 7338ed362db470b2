package keelscope.data;

import keelscope.random.SplitMix64;

/**
 * Well-nested brackets of k kinds. Token i opens kind i and k + i closes it; what is asked at each position is the token
 * that would close the innermost bracket open there, nothing where none is open. A row of odd length leaves one open.
 */
final class BracketTask extends TaskSource {
    private final int kinds;

    BracketTask(int kinds, double validationShare) {
        super("brackets: nested brackets of " + kinds + " kinds, which closes the innermost open one", validationShare);
        this.kinds = kinds;
    }

    @Override
    public int vocabulary() {
        return 2 * kinds;
    }

    @Override
    void row(SplitMix64 random, boolean heldOut, int[] ids, int[] targets) {
        int[] open = new int[ids.length + 1];
        until(ids.length, () -> {
            int depth = 0;
            for (int i = 0; i < ids.length; i++) {
                int left = ids.length - i;
                boolean opens = depth == 0 || depth < left && random.uniform() < 0.5;
                if (opens) {
                    open[depth] = (int) random.below(kinds);
                    ids[i] = open[depth++];
                } else {
                    ids[i] = kinds + open[--depth];
                }
                targets[i] = depth == 0 ? TokenBatch.IGNORED : kinds + open[depth - 1];
            }
            return isHeldOut(ids, 0, ids.length) == heldOut;
        });
    }
}
