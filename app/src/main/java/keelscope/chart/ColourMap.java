package keelscope.chart;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A scale of colours, 256 steps interpolated between the colours of a resource, one {@code #rrggbb} a line. */
final class ColourMap {
    private static final int STEPS = 256;

    /** Perceptually even and told apart by colour-blind readers: dark blue (low) to yellow (high). */
    static final ColourMap VIRIDIS = load("viridis.txt");

    /** For differences: blue (below 0) by white to orange (above), even steps of lightness, told apart by colour-blind readers. */
    static final ColourMap DIVERGING = load("diverging.txt");

    private final int[] argb = new int[STEPS];

    private ColourMap(List<Integer> anchors) {
        for (int i = 0; i < STEPS; i++) {
            double at = (double) i / (STEPS - 1) * (anchors.size() - 1);
            int k = Math.min(anchors.size() - 2, (int) at);
            argb[i] = 0xff000000 | mix(anchors.get(k), anchors.get(k + 1), at - k);
        }
    }

    private static ColourMap load(String resource) {
        List<Integer> anchors = new ArrayList<>();
        try (InputStream in = ColourMap.class.getResourceAsStream(resource);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            lines.lines().filter(line -> line.startsWith("#")).forEach(line ->
                    anchors.add(Integer.parseInt(line.substring(1, 7), 16)));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the colours in " + resource + ".", e);
        }
        return new ColourMap(anchors);
    }

    private static int mix(int a, int b, double share) {
        int mixed = 0;
        for (int shift = 0; shift <= 16; shift += 8) {
            double channel = (a >> shift & 255) * (1 - share) + (b >> shift & 255) * share;
            mixed |= (int) Math.round(channel) << shift;
        }
        return mixed;
    }

    /** The colour at {@code share} of the scale as 0xffRRGGBB; below 0 and above 1 the colours of the ends. */
    int argb(double share) {
        return argb[(int) Math.max(0, Math.min(STEPS - 1, share * STEPS))];
    }
}
