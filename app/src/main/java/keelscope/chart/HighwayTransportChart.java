package keelscope.chart;

import java.util.List;
import keelscope.run.ArmSnapshot;

/** HighwayTransportChart. */
public final class HighwayTransportChart extends ChartTile {
    public HighwayTransportChart() {
        super("HighwayTransportChart", "");
    }

    @Override
    public void show(List<ArmSnapshot> arms) {}
}
