package keelscope.chart;

import java.util.List;
import keelscope.run.ArmSnapshot;

/** CarryGateChart. */
public final class CarryGateChart extends ChartTile {
    public CarryGateChart() {
        super("CarryGateChart", "");
    }

    @Override
    public void show(List<ArmSnapshot> arms) {}
}
