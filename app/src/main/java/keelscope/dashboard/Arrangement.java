package keelscope.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Which charts are shown and where: rows from top to bottom, charts from left to right. Heights of rows and widths of
 * charts are shares of one another, so that an arrangement fits a window of any size.
 *
 * @param rows rows from top to bottom; none holds no chart
 */
public record Arrangement(List<Row> rows) {
    /** How many charts a row takes before a chart that is shown anew gets a row of its own. */
    private static final int FULL_ROW = 3;

    /** No row and no chart is made smaller than this share of an even division. */
    private static final double LEAST = 0.2;

    /** Where a chart is put, seen from another chart. */
    public enum Side {
        LEFT,
        RIGHT,
        ABOVE,
        BELOW
    }

    /**
     * Charts beside each other.
     *
     * @param height share of the height, above 0
     * @param places charts from left to right
     */
    public record Row(double height, List<Place> places) {
        public Row {
            requireShare("height", height);
            places = List.copyOf(places);
        }

        private double width() {
            return places.stream().mapToDouble(Place::width).sum();
        }
    }

    /**
     * One chart in its row.
     *
     * @param chart id of the chart
     * @param width share of the row's width, above 0
     */
    public record Place(String chart, double width) {
        public Place {
            if (chart == null || chart.isBlank()) {
                throw new IllegalArgumentException("chart is empty; allowed is the id of a chart.");
            }
            requireShare("width", width);
        }
    }

    /** Where a chart stands: its row and its place in it, from 0. */
    private record Spot(int row, int column) {}

    public Arrangement {
        rows = rows.stream().filter(row -> !row.places().isEmpty()).toList();
        List<String> seen = new ArrayList<>();
        for (Row row : rows) {
            for (Place place : row.places()) {
                if (seen.contains(place.chart())) {
                    throw new IllegalArgumentException(
                            "rows hold " + place.chart() + " twice; allowed is each chart once.");
                }
                seen.add(place.chart());
            }
        }
    }

    private static void requireShare(String name, double share) {
        if (!(share > 0) || Double.isInfinite(share)) {
            throw new IllegalArgumentException(name + " is " + share + "; allowed is a finite number above 0.");
        }
    }

    /** Rows of {@code columns} charts each, all of one size; the last row shares its width among what is left. */
    public static Arrangement even(List<String> charts, int columns) {
        if (columns < 1) {
            throw new IllegalArgumentException("columns is " + columns + "; allowed are 1 and above.");
        }
        List<Row> rows = new ArrayList<>();
        for (int from = 0; from < charts.size(); from += columns) {
            rows.add(new Row(
                    1,
                    charts.subList(from, Math.min(charts.size(), from + columns)).stream()
                            .map(chart -> new Place(chart, 1))
                            .toList()));
        }
        return new Arrangement(rows);
    }

    /** The charts as they are read: row after row, from left to right. */
    public List<String> charts() {
        return rows.stream().flatMap(row -> row.places().stream()).map(Place::chart).toList();
    }

    /** Whether {@code chart} is shown. */
    public boolean shows(String chart) {
        return charts().contains(chart);
    }

    /** With {@code chart} hidden. */
    public Arrangement without(String chart) {
        return keepingOnly(charts().stream().filter(other -> !other.equals(chart)).toList());
    }

    /** With only those of {@code charts} that are shown already. */
    public Arrangement keepingOnly(List<String> charts) {
        return new Arrangement(rows.stream()
                .map(row -> new Row(
                        row.height(),
                        row.places().stream().filter(place -> charts.contains(place.chart())).toList()))
                .toList());
    }

    /** With {@code chart} shown too: at the end of the last row, or in a new row below where that one is full. */
    public Arrangement with(String chart) {
        if (shows(chart)) {
            return this;
        }
        List<Row> changed = new ArrayList<>(rows);
        if (rows.isEmpty() || rows.get(rows.size() - 1).places().size() >= FULL_ROW) {
            double height = rows.isEmpty() ? 1 : rows.stream().mapToDouble(Row::height).average().orElse(1);
            changed.add(new Row(height, List.of(new Place(chart, 1))));
        } else {
            int last = rows.size() - 1;
            Row row = rows.get(last);
            changed.set(last, inserted(row, row.places().size(), chart));
        }
        return new Arrangement(changed);
    }

    /** With {@code chart} taken from its place and put beside, above or below {@code target}. */
    public Arrangement move(String chart, String target, Side side) {
        if (chart.equals(target) || !shows(chart) || !shows(target)) {
            return this;
        }
        double height = rows.get(find(chart).row()).height();
        Arrangement rest = without(chart);
        Spot spot = rest.find(target);
        List<Row> changed = new ArrayList<>(rest.rows);
        switch (side) {
            case LEFT, RIGHT -> changed.set(
                    spot.row(),
                    inserted(changed.get(spot.row()), spot.column() + (side == Side.RIGHT ? 1 : 0), chart));
            case ABOVE, BELOW -> changed.add(
                    spot.row() + (side == Side.BELOW ? 1 : 0), new Row(height, List.of(new Place(chart, 1))));
        }
        return new Arrangement(changed);
    }

    /** With {@code chart} one place further: past its neighbour in the row, or into a row of its own above or below. */
    public Arrangement nudge(String chart, Side side) {
        if (!shows(chart)) {
            return this;
        }
        Spot spot = find(chart);
        Row row = rows.get(spot.row());
        switch (side) {
            case LEFT, RIGHT -> {
                int other = spot.column() + (side == Side.LEFT ? -1 : 1);
                return other < 0 || other >= row.places().size()
                        ? this
                        : move(chart, row.places().get(other).chart(), side);
            }
            default -> {
                if (row.places().size() > 1) {
                    return move(chart, row.places().get(spot.column() == 0 ? 1 : 0).chart(), side);
                }
                // A row of its own joins the next row.
                int other = spot.row() + (side == Side.ABOVE ? -1 : 1);
                if (other < 0 || other >= rows.size()) {
                    return this;
                }
                List<Place> places = rows.get(other).places();
                return move(chart, places.get(places.size() - 1).chart(), Side.RIGHT);
            }
        }
    }

    /** With {@code chart} wider by {@code share} of its row; its neighbour on the right (else on the left) gives it. */
    public Arrangement widen(String chart, double share) {
        if (!shows(chart)) {
            return this;
        }
        Spot spot = find(chart);
        int count = rows.get(spot.row()).places().size();
        return spot.column() + 1 < count
                ? moveColumnBorder(spot.row(), spot.column(), share)
                : moveColumnBorder(spot.row(), spot.column() - 1, -share);
    }

    /** With {@code chart}'s row higher by {@code share} of all rows; the row below (else the one above) gives it. */
    public Arrangement heighten(String chart, double share) {
        if (!shows(chart)) {
            return this;
        }
        int row = find(chart).row();
        return row + 1 < rows.size() ? moveRowBorder(row, share) : moveRowBorder(row - 1, -share);
    }

    /** With the border to the right of {@code column} in {@code row} moved right by {@code share} of the row's width. */
    public Arrangement moveColumnBorder(int row, int column, double share) {
        if (row < 0 || row >= rows.size()) {
            return this;
        }
        List<Place> places = new ArrayList<>(rows.get(row).places());
        if (column < 0 || column + 1 >= places.size()) {
            return this;
        }
        double all = rows.get(row).width();
        Place left = places.get(column);
        Place right = places.get(column + 1);
        double moved = bounded(share * all, left.width(), right.width(), LEAST * all / places.size());
        places.set(column, new Place(left.chart(), left.width() + moved));
        places.set(column + 1, new Place(right.chart(), right.width() - moved));
        return withRow(row, old -> new Row(old.height(), places));
    }

    /** With the border below {@code row} moved down by {@code share} of the height of all rows. */
    public Arrangement moveRowBorder(int row, double share) {
        if (row < 0 || row + 1 >= rows.size()) {
            return this;
        }
        double all = rows.stream().mapToDouble(Row::height).sum();
        double above = rows.get(row).height();
        double below = rows.get(row + 1).height();
        double moved = bounded(share * all, above, below, LEAST * all / rows.size());
        return withRow(row, old -> new Row(above + moved, old.places()))
                .withRow(row + 1, old -> new Row(below - moved, old.places()));
    }

    private static double bounded(double moved, double first, double second, double least) {
        double most = Math.max(0, second - least);
        double fewest = -Math.max(0, first - least);
        return Math.max(fewest, Math.min(most, moved));
    }

    private Arrangement withRow(int index, UnaryOperator<Row> change) {
        List<Row> changed = new ArrayList<>(rows);
        changed.set(index, change.apply(changed.get(index)));
        return new Arrangement(changed);
    }

    private static Row inserted(Row row, int at, String chart) {
        List<Place> places = new ArrayList<>(row.places());
        places.add(at, new Place(chart, row.width() / row.places().size()));
        return new Row(row.height(), places);
    }

    private Spot find(String chart) {
        for (int r = 0; r < rows.size(); r++) {
            List<Place> places = rows.get(r).places();
            for (int c = 0; c < places.size(); c++) {
                if (places.get(c).chart().equals(chart)) {
                    return new Spot(r, c);
                }
            }
        }
        throw new IllegalArgumentException("chart is " + chart + "; allowed is one that is shown: " + charts() + ".");
    }
}
