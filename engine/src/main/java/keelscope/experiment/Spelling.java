package keelscope.experiment;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Guesses which word was meant by one that is not known. */
public final class Spelling {

    private Spelling() {}

    /** The known word that is fewest edits away, if it is near enough to have been meant. */
    public static Optional<String> nearest(String written, Collection<String> known) {
        String wanted = plain(written);
        String best = "";
        int fewest = Math.max(2, wanted.length() / 3) + 1;
        for (String word : known) {
            int edits = edits(wanted, plain(word));
            if (edits < fewest) {
                fewest = edits;
                best = word;
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(best);
    }

    private static String plain(String word) {
        return word.toLowerCase(Locale.ROOT).replace("-", "_");
    }

    /** Levenshtein distance with a swap of neighbours as one edit. */
    private static int edits(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                cost[i][j] = Math.min(
                        Math.min(cost[i - 1][j], cost[i][j - 1]) + 1, cost[i - 1][j - 1] + change);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
