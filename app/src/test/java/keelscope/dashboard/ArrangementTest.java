package keelscope.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import keelscope.dashboard.Arrangement.Place;
import keelscope.dashboard.Arrangement.Row;
import keelscope.dashboard.Arrangement.Side;
import org.junit.jupiter.api.Test;

class ArrangementTest {
    /** a b / c d e. */
    private final Arrangement five = new Arrangement(List.of(row("a", "b"), row("c", "d", "e")));

    @Test
    void aChartGoesBesideAboveOrBelowAnother() {
        assertThat(shape(five.move("a", "d", Side.LEFT))).isEqualTo("b / c a d e");
        assertThat(shape(five.move("a", "d", Side.RIGHT))).isEqualTo("b / c d a e");
        assertThat(shape(five.move("e", "a", Side.ABOVE))).isEqualTo("e / a b / c d");
        assertThat(shape(five.move("e", "a", Side.BELOW))).isEqualTo("a b / e / c d");
        assertThat(five.move("a", "a", Side.LEFT)).isEqualTo(five);
    }

    @Test
    void theOnlyChartOfARowTakesTheRowAlong() {
        Arrangement alone = new Arrangement(List.of(row("a"), row("b", "c")));
        assertThat(shape(alone.move("a", "c", Side.RIGHT))).isEqualTo("b c a");
        assertThat(shape(alone.move("a", "c", Side.BELOW))).isEqualTo("b c / a");
    }

    @Test
    void byKeysAChartGoesPastItsNeighbourOrIntoARowOfItsOwnAndOnIntoTheNext() {
        assertThat(shape(five.nudge("c", Side.RIGHT))).isEqualTo("a b / d c e");
        assertThat(five.nudge("c", Side.LEFT)).isEqualTo(five);
        Arrangement up = five.nudge("d", Side.ABOVE);
        assertThat(shape(up)).isEqualTo("a b / d / c e");
        assertThat(shape(up.nudge("d", Side.ABOVE))).isEqualTo("a b d / c e");
    }

    @Test
    void hidingAndShowingAgainKeepsEveryOtherPlace() {
        Arrangement four = five.without("d");
        assertThat(shape(four)).isEqualTo("a b / c e");
        assertThat(shape(four.with("d"))).isEqualTo("a b / c e d");
        assertThat(shape(five.with("f"))).isEqualTo("a b / c d e / f");
    }

    @Test
    void aBorderTakesFromOneSideWhatItGivesTheOther() {
        List<Place> places = five.moveColumnBorder(0, 0, 0.25).rows().get(0).places();
        // Two charts of width 1: a quarter of 2 is 0.5.
        assertThat(places).extracting(Place::width).containsExactly(1.5, 0.5);
        List<Row> rows = five.moveRowBorder(0, -0.1).rows();
        assertThat(rows.get(0).height()).isCloseTo(0.8, within(1e-12));
        assertThat(rows.get(1).height()).isCloseTo(1.2, within(1e-12));
    }

    @Test
    void noChartIsSqueezedToNothing() {
        Arrangement squeezed = five.moveColumnBorder(0, 0, 5).moveRowBorder(0, -5);
        assertThat(squeezed.rows().get(0).places().get(1).width()).isCloseTo(0.2, within(1e-12));
        assertThat(squeezed.rows().get(0).height()).isCloseTo(0.2, within(1e-12));
    }

    @Test
    void theLastChartOfARowGrowsToTheLeft() {
        Arrangement wider = five.widen("b", 0.1);
        assertThat(wider.rows().get(0).places()).extracting(Place::width).containsExactly(0.8, 1.2);
    }

    @Test
    void aChartTwiceIsRefused() {
        assertThatThrownBy(() -> new Arrangement(List.of(row("a", "b"), row("a"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a twice");
    }

    private static Row row(String... charts) {
        return new Row(1, List.of(charts).stream().map(chart -> new Place(chart, 1)).toList());
    }

    private static String shape(Arrangement arrangement) {
        return String.join(
                " / ",
                arrangement.rows().stream()
                        .map(row -> String.join(" ", row.places().stream().map(Place::chart).toList()))
                        .toList());
    }
}
