package keelscope.dashboard;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import keelscope.chart.ChartCatalog;
import keelscope.chart.ChartKind;
import keelscope.dashboard.Arrangement.Place;
import keelscope.dashboard.Arrangement.Row;
import keelscope.text.Texts;

/** Arrangements to begin with. */
public enum Preset {
    /** One chart of each kind of question; what a new user sees. */
    OVERVIEW {
        @Override
        public Arrangement arrangement() {
            return new Arrangement(List.of(
                            new Row(1, List.of(new Place("loss", 10), new Place("gradient-by-layer", 10))),
                            // The heat map has a panel an arm.
                            new Row(
                                    1,
                                    List.of(
                                            new Place("gradient-heat-map", 8),
                                            new Place("carry-gate", 7),
                                            new Place("highway-transport", 5)))))
                    .keepingOnly(ids(kind -> true));
        }
    },

    /** What training is measured by: loss, rate, speed. */
    LOSS {
        @Override
        public Arrangement arrangement() {
            List<String> others = ids(kind -> isOverSteps(kind) && !kind.id().equals("loss"));
            Arrangement rest = Arrangement.even(others, 3);
            List<Row> rows = new java.util.ArrayList<>();
            rows.add(new Row(1.6, List.of(new Place("loss", 1))));
            rows.addAll(rest.rows());
            return new Arrangement(rows);
        }
    },

    /** How strongly the gradient reaches each sub-layer, and why. */
    GRADIENT_FLOW {
        @Override
        public Arrangement arrangement() {
            return Arrangement.even(
                    ids(kind -> has(kind, "grad") || has(kind, "transport") || has(kind, "residual") || has(kind, "update")),
                    2);
        }
    },

    /** What the residual paths carry and what they transform. */
    GATES {
        @Override
        public Arrangement arrangement() {
            return Arrangement.even(
                    ids(kind -> has(kind, "gate") || has(kind, "cosine") || has(kind, "alpha") || has(kind, "rms")), 2);
        }
    },

    /** Every chart there is. */
    EVERYTHING {
        @Override
        public Arrangement arrangement() {
            return Arrangement.even(ids(kind -> true), 3);
        }
    };

    /** The charts and their places. */
    public abstract Arrangement arrangement();

    /** The name on screen. */
    public String title() {
        return Texts.get("preset." + name().toLowerCase(Locale.ROOT));
    }

    private static List<String> ids(Predicate<ChartKind> wanted) {
        return ChartCatalog.all().stream().filter(wanted).map(ChartKind::id).toList();
    }

    private static boolean isOverSteps(ChartKind kind) {
        return kind.group().equals(
                ChartCatalog.of("loss").map(ChartKind::group).orElse(""));
    }

    private static boolean has(ChartKind kind, String word) {
        return kind.id().contains(word);
    }
}
