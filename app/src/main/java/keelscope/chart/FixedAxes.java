package keelscope.chart;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Where axes stand still, in words that can be kept until the next start.
 *
 * @param log whether the vertical axis is logarithmic
 * @param home the limits
 * @param zoom the part of it that is zoomed into
 * @param colours the least and the greatest value that colours stand for, of a heat map
 */
record FixedAxes(boolean log, Plot.View home, Optional<Plot.View> zoom, Optional<double[]> colours) {
    private static final String LIMITS = "axes-limits";
    private static final String LOG = "axes-log";
    private static final String ZOOM = "axes-zoom";
    private static final String COLOURS = "axes-colours";

    /** The words, each by its name. */
    SortedMap<String, String> words() {
        SortedMap<String, String> words = new TreeMap<>();
        words.put(LIMITS, word(numbers(home)));
        words.put(LOG, Boolean.toString(log));
        zoom.ifPresent(view -> words.put(ZOOM, word(numbers(view))));
        colours.ifPresent(ends -> words.put(COLOURS, word(ends)));
        return words;
    }

    /** What such words say, nothing where they do not say limits. */
    static Optional<FixedAxes> of(Map<String, String> words) {
        return view(words, LIMITS).map(home -> new FixedAxes(
                Boolean.parseBoolean(words.get(LOG)), home, view(words, ZOOM), numbers(words, COLOURS, 2).filter(ends -> ends[0] < ends[1])));
    }

    private static Optional<Plot.View> view(Map<String, String> words, String name) {
        return numbers(words, name, 4)
                .map(n -> new Plot.View(n[0], n[1], n[2], n[3]))
                .filter(view -> view.xMin() < view.xMax() && view.yMin() < view.yMax());
    }

    private static Optional<double[]> numbers(Map<String, String> words, String name, int count) {
        try {
            double[] numbers = Arrays.stream(words.getOrDefault(name, "").split(" ")).mapToDouble(Double::parseDouble).toArray();
            return Optional.of(numbers).filter(all -> all.length == count && Arrays.stream(all).allMatch(Double::isFinite));
        } catch (NumberFormatException e) {
            // Written by another hand or another version: nothing is known of the axes then.
            return Optional.empty();
        }
    }

    private static double[] numbers(Plot.View view) {
        return new double[] {view.xMin(), view.xMax(), view.yMin(), view.yMax()};
    }

    private static String word(double[] numbers) {
        return DoubleStream.of(numbers).mapToObj(Double::toString).collect(Collectors.joining(" "));
    }
}
