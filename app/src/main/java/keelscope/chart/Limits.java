package keelscope.chart;

import io.fair_acc.dataset.DataSet;

/** The limits of data sets, which ChartFX would look for at all points of each, on other threads, while the JavaFX thread waits. */
final class Limits {
    private Limits() {}

    /** Gives the data set limits, so that none are looked for: those of axes are the charts' to set. */
    static void leaveToTheChart(DataSet data) {
        data.getAxisDescriptions().forEach(axis -> {
            axis.set(0, 1);
            axis.getBitState().clear();
        });
    }
}
