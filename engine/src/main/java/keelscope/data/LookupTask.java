package keelscope.data;

import keelscope.random.SplitMix64;

/**
 * k-hop pointer chasing. Half of a row is a table: pairs (node, its successor) in random order, the nodes on one cycle. Then
 * come queries: the query mark and a node, at which is asked the node k steps further on. The last token of a row of odd
 * length is a query mark.
 */
final class LookupTask extends TaskSource {
    private static final int MOST_NODES = 64;

    private final int hops;
    private final int nodes;

    LookupTask(int hops, double validationShare, int sequence) {
        super("lookup: pointers followed " + hops + " times, among " + nodes(sequence) + " nodes", validationShare);
        this.hops = hops;
        this.nodes = nodes(sequence);
        if (nodes <= hops) {
            throw new DataException("A sequence of " + sequence + " tokens is too short to follow pointers " + hops
                    + " times: it has room for " + nodes + " nodes; allowed is a sequence of at least " + 4 * (hops + 1)
                    + " tokens" + (hops >= MOST_NODES ? " and at most " + (MOST_NODES - 1) + " hops." : "."));
        }
    }

    private static int nodes(int sequence) {
        return Math.min(MOST_NODES, sequence / 4);
    }

    @Override
    public int vocabulary() {
        return nodes + 1;
    }

    @Override
    void row(SplitMix64 random, boolean heldOut, int[] ids, int[] targets) {
        if (ids.length < 2 * nodes + 2) {
            throw new DataException("A row of " + ids.length + " tokens is too short for a table of " + nodes + " nodes.");
        }
        int[] next = new int[nodes];
        until(ids.length, () -> {
            int[] cycle = shuffled(random);
            int[] order = shuffled(random);
            for (int i = 0; i < nodes; i++) {
                next[cycle[i]] = cycle[(i + 1) % nodes];
            }
            for (int i = 0; i < nodes; i++) {
                ids[2 * i] = order[i];
                ids[2 * i + 1] = next[order[i]];
            }
            for (int i = 2 * nodes; i < ids.length; i += 2) {
                ids[i] = nodes;
                if (i + 1 < ids.length) {
                    ids[i + 1] = (int) random.below(nodes);
                }
            }
            return isHeldOut(ids, 0, ids.length) == heldOut;
        });
        for (int i = 2 * nodes + 1; i < ids.length; i += 2) {
            int node = ids[i];
            for (int hop = 0; hop < hops; hop++) {
                node = next[node];
            }
            targets[i] = node;
        }
    }

    private int[] shuffled(SplitMix64 random) {
        int[] order = new int[nodes];
        for (int i = 0; i < nodes; i++) {
            int j = (int) random.below(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }
}
