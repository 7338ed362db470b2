package keelscope.chart;

import java.util.List;
import java.util.Optional;

/** Every kind of chart there is. */
public final class ChartCatalog {
    private static final String OVER_STEPS = "Over steps";
    private static final String BY_LAYER = "By layer";
    private static final String LAYER_BY_STEP = "Layer × step";

    private static final List<ChartKind> ALL = List.of(
            new ChartKind("loss", "Loss", OVER_STEPS, LossChart::new),
            new ChartKind("gradient-by-layer", "Gradient by layer", BY_LAYER, GradientByLayerChart::new),
            new ChartKind("carry-gate", "Carry gate", BY_LAYER, CarryGateChart::new),
            new ChartKind("highway-transport", "Highway transport", BY_LAYER, HighwayTransportChart::new),
            new ChartKind("gradient-heat-map", "Gradient, layer × step", LAYER_BY_STEP, GradientHeatMap::new));

    private ChartCatalog() {}

    /** All kinds, group by group. */
    public static List<ChartKind> all() {
        return ALL;
    }

    /** The kind of that id, if there is one. */
    public static Optional<ChartKind> of(String id) {
        return ALL.stream().filter(kind -> kind.id().equals(id)).findFirst();
    }
}
