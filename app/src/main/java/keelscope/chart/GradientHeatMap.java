package keelscope.chart;

import java.util.List;
import keelscope.run.ArmSnapshot;

/** GradientHeatMap. */
public final class GradientHeatMap extends ChartTile {
    public GradientHeatMap() {
        super("GradientHeatMap", "");
    }

    @Override
    public void show(List<ArmSnapshot> arms) {}
}
