package keelscope.chart;

import io.fair_acc.dataset.DataSet;
import java.util.List;
import keelscope.runfile.LayerMatrix;

/** What charts show, as numbers: comma-separated, decimal points, one header line, NaN for a gap (RFC 4180). */
final class ChartCsv {
    private static final String END = "\r\n";

    private ChartCsv() {}

    /**
     * The points of all plots, in the order in which they are drawn. A curve's columns are its key, x, y, and, of a band, the lower
     * edge; a heat map's are the panel's number from 1, first and last step of a column, sub-layer and value.
     */
    static String of(List<Plot> plots) {
        StringBuilder csv = new StringBuilder();
        int panel = 0;
        for (Plot plot : plots) {
            panel++;
            for (DataSet data : plot.renderer().getDatasets()) {
                if (data instanceof HeatMapData map) {
                    heatMap(csv, panel, map.matrix());
                } else {
                    if (csv.isEmpty()) {
                        csv.append("line,").append(quoted(plot.xAxis().getName())).append(',').append(quoted(plot.yAxis().getName()))
                                .append(",lower_edge").append(END);
                    }
                    curve(csv, data);
                }
            }
        }
        return csv.toString();
    }

    private static void curve(StringBuilder csv, DataSet data) {
        for (int i = 0; i < data.getDataCount(); i++) {
            csv.append(quoted(data.getName())).append(',').append(data.get(DataSet.DIM_X, i)).append(',')
                    .append(data.get(DataSet.DIM_Y, i)).append(',');
            if (data instanceof Curve curve && curve.isBand()) {
                csv.append(curve.low(i));
            }
            csv.append(END);
        }
    }

    private static void heatMap(StringBuilder csv, int panel, LayerMatrix matrix) {
        if (csv.isEmpty()) {
            csv.append("panel,first_step,last_step,sub_layer,value").append(END);
        }
        for (int c = 0; c < matrix.size(); c++) {
            for (int l = 0; l < matrix.values()[c].length; l++) {
                csv.append(panel).append(',').append(matrix.firstStep()[c]).append(',').append(matrix.lastStep()[c]).append(',')
                        .append(l).append(',').append(matrix.values()[c][l]).append(END);
            }
        }
    }

    /** A field in quotes where it needs them. */
    static String quoted(String text) {
        return text.matches("[^,\"\\r\\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
