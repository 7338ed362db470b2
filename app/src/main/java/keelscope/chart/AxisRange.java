package keelscope.chart;

/** What the axes of a chart follow. */
public enum AxisRange {
    /** The latest part of the run: the last steps along an axis of steps, and the values there. */
    RECENT,
    /** All data. */
    ALL,
    /** Nothing: the axes stay as they are. */
    FIXED
}
