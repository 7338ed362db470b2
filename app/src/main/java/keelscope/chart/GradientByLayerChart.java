package keelscope.chart;

import java.util.List;
import keelscope.run.ArmSnapshot;

/** GradientByLayerChart. */
public final class GradientByLayerChart extends ChartTile {
    public GradientByLayerChart() {
        super("GradientByLayerChart", "");
    }

    @Override
    public void show(List<ArmSnapshot> arms) {}
}
