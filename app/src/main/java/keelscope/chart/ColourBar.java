package keelscope.chart;

import java.util.ArrayList;
import java.util.List;
import javafx.scene.control.Label;
import javafx.scene.image.ImageView;
import javafx.scene.image.WritableImage;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Region;

/** The scale of a heat map: its colours, low at the bottom, with values beside them and the measure's name. */
final class ColourBar extends Pane {
    // In heights of a line of type.
    private static final double BAR = 0.95;
    private static final double GAP = 0.3;

    // Magnitudes between these are written as plain numbers.
    private static final double LEAST_PLAIN = 1e-3;
    private static final double MOST_PLAIN = 1e4;

    private final ImageView bar = new ImageView();
    private final Label name = new Label();
    private final Region frame = new Region();
    private final List<Label> labels = new ArrayList<>();
    private final List<Region> ticks = new ArrayList<>();
    private boolean numbered;
    private double low = 1;
    private double high = 10;
    private double widest;
    private double widestAt;

    private ColourMap colours;
    private Scale scale = Scale.LOG;

    ColourBar() {
        getStyleClass().add("colour-bar");
        name.getStyleClass().add("colour-bar-name");
        name.setRotate(-90);
        name.setManaged(false);
        frame.getStyleClass().add("colour-bar-frame");
        frame.setManaged(false);
        bar.setManaged(false);
        bar.setSmooth(false);
        colours(ColourMap.VIRIDIS);
        getChildren().addAll(bar, frame, name);
    }

    private void colours(ColourMap map) {
        if (map == colours) {
            return;
        }
        colours = map;
        WritableImage image = new WritableImage(1, 256);
        for (int i = 0; i < 256; i++) {
            image.getPixelWriter().setArgb(0, 255 - i, map.argb((i + 0.5) / 256));
        }
        bar.setImage(image);
    }

    /** What the scale is of: its name, the colours, and how values lie on it. */
    void shows(String text, ColourMap map, Scale newScale) {
        if (text.equals(name.getText()) && map == colours && newScale == scale) {
            return;
        }
        name.setText(text);
        widestAt = 0;
        colours(map);
        scale = newScale;
        requestLayout();
    }

    /** A position in words; powers of ten where plain numbers would be long. */
    private String label(double position) {
        return scale == Scale.LOG && low >= LEAST_PLAIN && high <= MOST_PLAIN || scale == Scale.LINEAR
                ? Numbers.plain(position)
                : scale.label(position);
    }

    String name() {
        return name.getText();
    }

    /** Whether there are values for the colours to stand for; else no numbers stand beside them. */
    void numbered(boolean there) {
        if (there != numbered) {
            numbered = there;
            requestLayout();
        }
    }

    /** The numbers beside it, from the bottom. */
    List<String> numbers() {
        return labels.stream().filter(Label::isVisible).map(Label::getText).toList();
    }

    /** The positions at the ends, both above 0 on a logarithmic scale. */
    void scale(double newLow, double newHigh) {
        if (newLow != low || newHigh != high) {
            low = newLow;
            high = newHigh;
            requestLayout();
        }
    }

    double low() {
        return low;
    }

    double high() {
        return high;
    }

    @Override
    protected double computePrefWidth(double height) {
        write(height < 0 ? getHeight() : height);
        return em() * (BAR + 3 * GAP) + labelWidth() + name.prefHeight(-1);
    }

    private double em() {
        return name.prefHeight(-1);
    }

    private double labelWidth() {
        if (em() != widestAt) {
            widestAt = em();
            widest = 0;
        }
        double width = 0;
        for (Label label : labels) {
            width = Math.max(width, label.isVisible() ? label.prefWidth(-1) : 0);
        }
        // Never narrower again, so that the panels beside it do not move.
        widest = Math.max(widest, Math.max(width, 1.6 * name.prefHeight(-1)));
        return widest;
    }

    /** Writes the labels of a bar of that height, by which its width is known; returns their values. */
    private List<Double> write(double h) {
        List<Double> values = numbered ? ticks(h) : List.of();
        while (labels.size() < values.size()) {
            Label label = new Label();
            label.getStyleClass().add("colour-bar-tick");
            label.setManaged(false);
            Region tick = new Region();
            tick.getStyleClass().add("colour-bar-mark");
            tick.setManaged(false);
            labels.add(label);
            ticks.add(tick);
            getChildren().addAll(label, tick);
            label.applyCss();
        }
        for (int i = 0; i < labels.size(); i++) {
            labels.get(i).setVisible(i < values.size());
            ticks.get(i).setVisible(i < values.size());
            if (i < values.size()) {
                labels.get(i).setText(label(values.get(i)));
            }
        }
        return values;
    }

    @Override
    protected void layoutChildren() {
        double h = getHeight();
        double barWidth = Math.round(em() * BAR);
        double gap = em() * GAP;
        bar.setFitWidth(barWidth);
        bar.setFitHeight(Math.max(1, h));
        bar.relocate(0, 0);
        frame.resizeRelocate(0, 0, barWidth, h);
        List<Double> values = write(h);
        for (int i = 0; i < values.size(); i++) {
            double share = scale.log()
                    ? Math.log(values.get(i) / low) / Math.log(high / low)
                    : (values.get(i) - low) / (high - low);
            double y = Math.round(h * (scale.inverted() ? share : 1 - share));
            labels.get(i).autosize();
            labels.get(i).relocate(barWidth + gap, y - labels.get(i).getHeight() / 2);
            ticks.get(i).resizeRelocate(barWidth, Math.min(h - 1, y), 0.7 * gap, 1);
        }
        double length = name.prefWidth(-1);
        double thickness = name.prefHeight(-1);
        name.resize(length, thickness);
        // Turned about its middle: placed so that the middle lies right of the numbers, half way up.
        double middleX = barWidth + 2 * gap + labelWidth() + thickness / 2;
        name.relocate(middleX - length / 2, h / 2 - thickness / 2);
    }

    private List<Double> ticks(double h) {
        List<Double> values = new ArrayList<>();
        if (!scale.log()) {
            double unit = PaperAxis.roundUnit((high - low) / Math.max(2, Math.min(8, h / (2.2 * name.prefHeight(-1)))), false);
            for (double k = Math.ceil(low / unit - 1e-9); k * unit <= high + 1e-9 * unit; k++) {
                values.add(k * unit);
            }
            return values;
        }
        int first = (int) Math.ceil(Math.log10(low) - 1e-9);
        int last = (int) Math.floor(Math.log10(high) + 1e-9);
        double perDecade = h / Math.max(1e-9, Math.log10(high / low));
        double room = 1.6 * name.prefHeight(-1);
        int stride = (int) Math.max(1, Math.ceil(room / perDecade));
        for (int e = Math.floorDiv(first + stride - 1, stride) * stride; e <= last; e += stride) {
            values.add(Math.pow(10, e));
        }
        return values.size() < 2 ? withinADecade(first - 1, last) : values;
    }

    /** 1, 2 and 5 × the powers of ten from {@code first} to {@code last}, as far as they lie on the scale; its ends where none does. */
    private List<Double> withinADecade(int first, int last) {
        List<Double> values = new ArrayList<>();
        for (int e = first; e <= last; e++) {
            for (int mantissa : new int[] {1, 2, 5}) {
                double value = mantissa * Math.pow(10, e);
                if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) {
                    values.add(value);
                }
            }
        }
        return values.isEmpty() ? List.of(low, high) : values;
    }
}
