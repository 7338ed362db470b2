package keelscope.chart;

import java.util.List;
import keelscope.model.Scheme;
import keelscope.run.ArmSnapshot;

/** How an arm is named and styled, the same on every chart. */
final class Arms {
    /** Colours and markers a style sheet has; arms beyond use them again, dashed. */
    static final int STYLES = 7;

    private Arms() {}

    /** The scheme's title where the arm is named after its scheme, else the arm's name. */
    static String title(ArmSnapshot arm) {
        return Scheme.of(arm.info().scheme())
                .filter(scheme -> scheme.id().equals(arm.info().arm()))
                .map(Scheme::title)
                .orElse(arm.info().arm());
    }

    /** The style class with the arm's colour and marker. */
    static String style(ArmSnapshot arm) {
        return "arm-" + arm.colour() % STYLES;
    }

    /** {@code again} for arms beyond the palette, else {@code first}. */
    static String round(ArmSnapshot arm) {
        return arm.colour() < STYLES ? "first" : "again";
    }

    static boolean ended(List<ArmSnapshot> arms) {
        return arms.stream().allMatch(arm -> arm.state().status().ended());
    }

    static int lastStep(List<ArmSnapshot> arms) {
        return arms.stream().mapToInt(ArmSnapshot::lastStep).max().orElse(-1);
    }

    static int layers(List<ArmSnapshot> arms) {
        return arms.stream().mapToInt(arm -> arm.info().layers()).max().orElse(1);
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
}
