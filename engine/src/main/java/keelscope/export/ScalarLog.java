package keelscope.export;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** Named series of numbers over steps, as other programs log them. Of two values of one name and step the later given counts. */
public final class ScalarLog {

    /**
     * A value.
     *
     * @param timeMs wall clock, ms since 1970; 0 where it is not known
     */
    public record Value(double value, long timeMs) {}

    private final Map<String, NavigableMap<Integer, Value>> series = new LinkedHashMap<>();

    void add(String name, int step, double value, long timeMs) {
        series.computeIfAbsent(name, n -> new TreeMap<>()).put(step, new Value(value, timeMs));
    }

    /** The names, in the order in which they were first met. */
    public Set<String> names() {
        return Collections.unmodifiableSet(series.keySet());
    }

    /** The values of a name by step, ascending; empty for a name that does not occur. */
    public NavigableMap<Integer, Value> series(String name) {
        return Collections.unmodifiableNavigableMap(series.getOrDefault(name, new TreeMap<>()));
    }
}
