package keelscope.data;

import keelscope.random.SplitMix64;

/**
 * The word problem of S5. Token g is the permutation of {0, …, 4} that is g-th in lexicographic order, 0 the identity; what
 * is asked at position t is g_t ∘ … ∘ g_1 ∘ g_0: the product so far, the newest applied last.
 */
final class PermutationTask extends TaskSource {
    private static final int THINGS = 5;
    private static final int ORDER = 120;
    private static final int[][] PRODUCT = products();

    PermutationTask(double validationShare) {
        super("permutations: the word problem of S5, the running product of a word of permutations", validationShare);
    }

    @Override
    public int vocabulary() {
        return ORDER;
    }

    @Override
    void row(SplitMix64 random, boolean heldOut, int[] ids, int[] targets) {
        until(ids.length, () -> {
            for (int i = 0; i < ids.length; i++) {
                ids[i] = (int) random.below(ORDER);
            }
            return isHeldOut(ids, 0, ids.length) == heldOut;
        });
        int product = 0;
        for (int i = 0; i < ids.length; i++) {
            product = PRODUCT[ids[i]][product];
            targets[i] = product;
        }
    }

    /** The permutation that is {@code rank}-th in lexicographic order, as the images of 0 to 4. */
    static int[] permutation(int rank) {
        java.util.List<Integer> left = new java.util.ArrayList<>(java.util.List.of(0, 1, 2, 3, 4));
        int[] images = new int[THINGS];
        int block = ORDER;
        for (int i = 0; i < THINGS; i++) {
            block /= THINGS - i;
            images[i] = left.remove(rank / block);
            rank %= block;
        }
        return images;
    }

    private static int rank(int[] images) {
        int rank = 0;
        int block = ORDER;
        for (int i = 0; i < THINGS; i++) {
            block /= THINGS - i;
            for (int j = i + 1; j < THINGS; j++) {
                rank += images[j] < images[i] ? block : 0;
            }
        }
        return rank;
    }

    /** [a][b]: a ∘ b, b applied first. */
    private static int[][] products() {
        int[][] products = new int[ORDER][ORDER];
        for (int a = 0; a < ORDER; a++) {
            for (int b = 0; b < ORDER; b++) {
                int[] first = permutation(b);
                int[] then = permutation(a);
                int[] images = new int[THINGS];
                for (int i = 0; i < THINGS; i++) {
                    images[i] = then[first[i]];
                }
                products[a][b] = rank(images);
            }
        }
        return products;
    }
}
