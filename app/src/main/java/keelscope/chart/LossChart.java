package keelscope.chart;

import java.util.List;
import keelscope.run.ArmSnapshot;

/** LossChart. */
public final class LossChart extends ChartTile {
    public LossChart() {
        super("LossChart", "");
    }

    @Override
    public void show(List<ArmSnapshot> arms) {}
}
