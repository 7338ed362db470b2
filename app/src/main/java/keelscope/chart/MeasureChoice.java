package keelscope.chart;

import java.util.Arrays;
import java.util.function.Consumer;
import javafx.scene.control.ChoiceBox;
import javafx.util.StringConverter;
import keelscope.runfile.Measure;

/** Chooses a measure that has one value a sub-layer. */
final class MeasureChoice extends ChoiceBox<Measure> {

    MeasureChoice(Measure first, Consumer<Measure> onChosen) {
        getItems().setAll(Arrays.stream(Measure.values()).filter(m -> m != Measure.GATE_HISTOGRAM).toList());
        setConverter(new StringConverter<>() {
            @Override
            public String toString(Measure measure) {
                return measure == null ? "" : measure.title();
            }

            @Override
            public Measure fromString(String written) {
                return getItems().stream().filter(m -> m.title().equals(written)).findFirst().orElseThrow();
            }
        });
        setValue(first);
        setAccessibleText("Measure");
        getStyleClass().add("tile-choice");
        valueProperty().addListener((o, before, now) -> onChosen.accept(now));
    }
}
