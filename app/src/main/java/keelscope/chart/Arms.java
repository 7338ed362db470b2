package keelscope.chart;

import java.util.List;
import keelscope.model.Scheme;
import keelscope.run.ArmSnapshot;
import keelscope.text.ArmStyle;

/** How an arm is named and styled, the same on every chart. */
final class Arms {
    private Arms() {}

    /** The scheme's title where the arm is named after its scheme, else the arm's name. */
    static String title(ArmSnapshot arm) {
        return Scheme.of(arm.info().scheme())
                .filter(scheme -> scheme.id().equals(arm.info().arm()))
                .map(Scheme::title)
                .orElse(arm.info().arm());
    }

    /** The same for words that may be broken into lines: what is equal to what stays in one, as the {@code (n = 2)} of a group. */
    static String wrapping(ArmSnapshot arm) {
        return title(arm).replace(" = ", "\u00a0=\u00a0");
    }

    /** The style class with the arm's colour and marker. */
    static String style(ArmSnapshot arm) {
        return ArmStyle.of(arm.colour());
    }

    /** {@code again} for arms beyond the palette, which are dashed, else {@code first}. */
    static String round(ArmSnapshot arm) {
        return arm.colour() < ArmStyle.COUNT ? "first" : "again";
    }

    /** Where between two markers of a line the arm's first marker stands. */
    static double phase(ArmSnapshot arm) {
        return arm.colour() % 3 / 3.0;
    }

    /** Level of drawing: of curves of one kind, the first arm's lies on top. */
    static int level(int kind, ArmSnapshot arm) {
        return kind * 1000 - arm.colour();
    }

    /** Limits of an axis that leave room for the markers of the outermost points. */
    static double[] room(double min, double max) {
        double margin = 0.012 * (max - min);
        return new double[] {min - margin, max + margin};
    }

    static boolean ended(List<ArmSnapshot> arms) {
        return arms.stream().allMatch(arm -> arm.state().status().ended());
    }

    /** Said in place of values that none of the arms has: of one that has ended there will be none. */
    static String withoutValues(List<ArmSnapshot> arms) {
        return !arms.isEmpty() && ended(arms) ? "not recorded" : "no data yet";
    }

    /** The same of a measure that one arm has no values of. */
    static String withoutValues(ArmSnapshot arm) {
        return ended(List.of(arm)) ? "not recorded" : "not recorded yet";
    }

    /** Whether what is shown will not change, so that axes are fitted at once: under a moving cursor they would jump. */
    static boolean still(List<ArmSnapshot> arms) {
        return ended(arms) && arms.stream().allMatch(arm -> arm.cursor() < 0);
    }

    static int lastStep(List<ArmSnapshot> arms) {
        return arms.stream().mapToInt(ArmSnapshot::lastStep).max().orElse(-1);
    }

    static int layers(List<ArmSnapshot> arms) {
        // A run read from another program's log says nothing of layers.
        return Math.max(1, arms.stream().mapToInt(arm -> arm.info().layers()).max().orElse(1));
    }

    /**
     * Where the axis of steps ends: at the end of the recipe, so that it never moves; or, while less than an eighth of a
     * long run is done, at a half, a quarter, … of it.
     */
    static double stepLimit(List<ArmSnapshot> arms) {
        int last = Math.max(1, lastStep(arms));
        double limit = Math.max(last, arms.stream().mapToInt(arm -> arm.info().steps()).max().orElse(1));
        boolean ended = ended(arms);
        while (limit > 1000 && last < limit / 8 && !ended) {
            limit /= 2;
        }
        return ended && last < limit / 8 ? last : limit;
    }

    /** Where an axis of steps begins and ends; of {@link AxisRange#RECENT} it holds the last quarter of what was taken. */
    static double[] steps(List<ArmSnapshot> arms, AxisRange range) {
        if (range != AxisRange.RECENT) {
            return new double[] {0, Math.max(1, stepLimit(arms))};
        }
        int last = Math.max(1, lastStep(arms));
        return new double[] {Math.max(0, last - Math.max(last / 4, 20)), last};
    }

    static boolean sameFiles(List<ArmSnapshot> a, List<ArmSnapshot> b) {
        return a.stream().map(ArmSnapshot::file).toList().equals(b.stream().map(ArmSnapshot::file).toList());
    }
}
