package keelscope.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TaskTest {
    private interface RowCheck {
        void row(int[] ids, int[] targets);
    }

    /** Looks at each row of a few hundred training and validation rows. */
    private static void eachRow(TokenSource source, int sequence, RowCheck check) {
        for (int step = 0; step < 40; step++) {
            for (TokenBatch batch : List.of(source.training(3, step, 8, sequence), source.validation(step, 8, sequence))) {
                assertThat(batch.counted()).isPositive();
                for (int row = 0; row < 8; row++) {
                    int[] ids = Arrays.copyOfRange(batch.ids(), row * sequence, (row + 1) * sequence);
                    int[] targets = Arrays.copyOfRange(batch.targets(), row * sequence, (row + 1) * sequence);
                    for (int i = 0; i < sequence; i++) {
                        assertThat(ids[i]).isBetween(0, source.vocabulary() - 1);
                        assertThat(targets[i]).isBetween(TokenBatch.IGNORED, source.vocabulary() - 1);
                    }
                    check.row(ids, targets);
                }
            }
        }
    }

    private static void permute(List<Integer> begun, List<List<Integer>> all) {
        if (begun.size() == 5) {
            all.add(List.copyOf(begun));
        }
        for (int i = 0; i < 5; i++) {
            if (!begun.contains(i)) {
                begun.add(i);
                permute(begun, all);
                begun.remove(begun.size() - 1);
            }
        }
    }

    @Test
    void permutationsAskForTheProductSoFar() {
        List<List<Integer>> all = new ArrayList<>();
        permute(new ArrayList<>(), all);
        assertThat(all).hasSize(120);
        assertThat(all.get(0)).containsExactly(0, 1, 2, 3, 4);
        eachRow(Task.PERMUTATIONS.open(0, 0.05, 12), 12, (ids, targets) -> {
            // Where each of five things is after the permutations so far.
            List<Integer> things = new ArrayList<>(List.of(0, 1, 2, 3, 4));
            for (int i = 0; i < ids.length; i++) {
                List<Integer> permutation = all.get(ids[i]);
                things.replaceAll(permutation::get);
                assertThat(targets[i]).isEqualTo(all.indexOf(things));
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"1, 16", "2, 33", "7, 64", "3, 400"})
    void lookupFollowsThePointers(int hops, int sequence) {
        eachRow(Task.LOOKUP.open(hops, 0.05, sequence), sequence, (ids, targets) -> {
            int nodes = Math.min(64, sequence / 4);
            Map<Integer, Integer> table = new HashMap<>();
            for (int i = 0; i < 2 * nodes; i += 2) {
                assertThat(table.put(ids[i], ids[i + 1])).isNull();
                assertThat(targets[i]).isEqualTo(TokenBatch.IGNORED);
            }
            assertThat(table).hasSize(nodes);
            assertThat(new HashSet<>(table.values())).hasSize(nodes);
            for (int i = 2 * nodes; i < sequence; i += 2) {
                assertThat(ids[i]).as("query mark").isEqualTo(nodes);
                assertThat(targets[i]).isEqualTo(TokenBatch.IGNORED);
                if (i + 1 < sequence) {
                    int node = ids[i + 1];
                    for (int hop = 0; hop < hops; hop++) {
                        node = table.get(node);
                    }
                    assertThat(targets[i + 1]).isEqualTo(node);
                }
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"1, 20", "4, 64", "4, 65", "128, 10"})
    void bracketsAskForWhatClosesTheInnermost(int kinds, int sequence) {
        eachRow(Task.BRACKETS.open(kinds, 0.05, sequence), sequence, (ids, targets) -> {
            Deque<Integer> open = new ArrayDeque<>();
            for (int i = 0; i < ids.length; i++) {
                if (ids[i] < kinds) {
                    open.push(ids[i]);
                } else {
                    assertThat(open.pop()).isEqualTo(ids[i] - kinds);
                }
                assertThat(targets[i]).isEqualTo(open.isEmpty() ? TokenBatch.IGNORED : kinds + open.peek());
            }
            assertThat(open).hasSize(sequence % 2);
        });
    }

    /** Reads an expression by its written form alone. */
    private static final class Reader {
        private final String text;
        private final int modulus;
        private int at;

        Reader(String text, int modulus) {
            this.text = text;
            this.modulus = modulus;
        }

        int sum() {
            int value = operand();
            if (at < text.length() && text.charAt(at) != ')') {
                char sign = text.charAt(at++);
                int right = operand();
                value = sign == '+' ? value + right : sign == '-' ? value - right : value * right;
            }
            return Math.floorMod(value, modulus);
        }

        private int operand() {
            if (text.charAt(at) == '(') {
                at++;
                int value = sum();
                assertThat(text.charAt(at++)).isEqualTo(')');
                return value;
            }
            return text.charAt(at++) - 'A';
        }
    }

    private static String written(int[] ids, int modulus) {
        StringBuilder text = new StringBuilder();
        for (int id : ids) {
            text.append(id < modulus ? (char) ('A' + id) : "+-*()=_".charAt(id - modulus));
        }
        return text.toString();
    }

    @ParameterizedTest
    @CsvSource({"7, 64", "2, 9", "13, 40", "23, 7"})
    void arithmeticAsksForTheValue(int modulus, int sequence) {
        eachRow(Task.ARITHMETIC.open(modulus, 0.05, sequence), sequence, (ids, targets) -> {
            String row = written(ids, modulus);
            int from = 0;
            for (int equal = row.indexOf('='); equal >= 0; equal = row.indexOf('=', equal + 1)) {
                Reader reader = new Reader(row.substring(from, equal), modulus);
                int value = reader.sum();
                assertThat(reader.at).as(row).isEqualTo(equal - from);
                assertThat(targets[equal]).isEqualTo(value);
                assertThat(ids[equal + 1]).isEqualTo(value);
                from = equal + 2;
            }
            assertThat(row.substring(from)).matches("_{0,4}");
            for (int i = 0; i < sequence; i++) {
                assertThat(targets[i] == TokenBatch.IGNORED).isEqualTo(row.charAt(i) != '=');
            }
        });
    }

    // Sizes at which there are so few instances that a task that repeated any would be found out.
    @ParameterizedTest
    @CsvSource({"PERMUTATIONS, 0, 2", "LOOKUP, 1, 13", "BRACKETS, 3, 8", "ARITHMETIC, 5, 5"})
    void whatIsHeldOutIsNeverTrainedOn(Task task, int size, int sequence) {
        TokenSource source = task.open(size, 0.1, sequence);
        Set<List<Integer>> trained = new HashSet<>();
        Set<List<Integer>> heldOut = new HashSet<>();
        for (int step = 0; step < 200; step++) {
            rows(source.training(1, step, 32, sequence), trained);
            rows(source.validation(step, 32, sequence), heldOut);
        }
        assertThat(trained).hasSizeGreaterThan(20);
        assertThat(heldOut).isNotEmpty().doesNotContainAnyElementsOf(trained);
    }

    private static void rows(TokenBatch batch, Set<List<Integer>> rows) {
        for (int row = 0; row < batch.rows(); row++) {
            rows.add(Arrays.stream(batch.ids(), row * batch.sequence(), (row + 1) * batch.sequence()).boxed().toList());
        }
    }

    @ParameterizedTest
    @EnumSource(Task.class)
    void aBatchIsAFunctionOfSeedAndStepAlone(Task task) {
        TokenSource source = task.open(task.defaultSize(), 0.05, 40);
        int[] late = source.training(5, 900, 4, 40).ids();
        source.training(5, 1, 4, 40);
        assertThat(task.open(task.defaultSize(), 0.05, 40).training(5, 900, 4, 40).ids()).isEqualTo(late);
        assertThat(source.training(6, 900, 4, 40).ids()).isNotEqualTo(late);
        assertThat(source.training(5, 901, 4, 40).ids()).isNotEqualTo(late);
        assertThat(Arrays.copyOf(source.training(5, 900, 9, 40).ids(), late.length)).isEqualTo(late);
        assertThat(source.validation(2, 4, 40).ids()).isEqualTo(source.validation(2, 4, 40).ids());
        assertThat(source.hasAccuracy()).isTrue();
        assertThat(source.description()).startsWith(task.id());
        assertThat(source.hash()).hasSize(64).isNotEqualTo(task.open(task.defaultSize(), 0.1, 40).hash());
        assertThat(source.vocabulary()).isEqualTo(task.vocabulary(task.defaultSize(), 40));
    }

    @Test
    void aRowTooShortForAnInstanceIsRefused() {
        assertThatThrownBy(() -> Task.LOOKUP.open(4, 0.05, 19))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("allowed is a sequence of at least 20 tokens");
        Task.LOOKUP.open(4, 0.05, 20).close();
        assertThatThrownBy(() -> Task.ARITHMETIC.open(7, 0.05, 4)).isInstanceOf(DataException.class);
        assertThatThrownBy(() -> Task.BRACKETS.open(1, 0.05, 2).validation(0, 1, 2))
                .as("one kind has one row of two, which is in one part only")
                .isInstanceOfSatisfying(DataException.class, e -> assertThat(e.getMessage()).contains("too short"))
                .satisfies(e -> assertThat(e).isNotNull());
        assertThatThrownBy(() -> Task.LOOKUP.open(64, 0.05, 4096))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("at most 63 hops");
    }
}
