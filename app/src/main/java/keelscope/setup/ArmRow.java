package keelscope.setup;

import javafx.beans.value.ObservableValue;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Control;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Region;
import javafx.util.StringConverter;
import keelscope.experiment.ArmSpec;
import keelscope.model.Scheme;
import keelscope.text.ArmStyle;
import keelscope.text.Texts;
import org.controlsfx.validation.ValidationResult;
import org.controlsfx.validation.ValidationSupport;
import org.controlsfx.validation.decoration.StyleClassValidationDecoration;

/** The controls of one arm: its colour, scheme, peak rate, α, and a button that takes it away. */
final class ArmRow {
    final ArmDraft draft;
    final Region swatch = new Region();
    final ComboBox<Scheme> scheme = new ComboBox<>();
    final TextField peakLr = new TextField();
    final TextField alpha = new TextField();
    final Button remove = new Button();
    private final ValidationSupport validation = new ValidationSupport();

    /**
     * @param index place among the arms, from which its colour follows
     * @param problems what is wrong with which key
     * @param recipePeakLr the peak rate of an arm that has none of its own
     */
    ArmRow(ArmDraft draft, int index, Problems problems, ObservableValue<String> recipePeakLr) {
        this.draft = draft;
        String title = Texts.get("setup.arm", index + 1);
        swatch.getStyleClass().addAll("arm-swatch", ArmStyle.of(index));

        scheme.getItems().setAll(Scheme.values());
        scheme.setConverter(new StringConverter<>() {
            @Override
            public String toString(Scheme value) {
                return value == null ? "" : value.title();
            }

            @Override
            public Scheme fromString(String title) {
                throw new UnsupportedOperationException("schemes are chosen, not typed");
            }
        });
        scheme.valueProperty().bindBidirectional(draft.schemeProperty());
        scheme.setId("arm-scheme-" + index);
        scheme.setAccessibleText(title + ", " + Texts.get("setup.arm.scheme"));
        scheme.setMaxWidth(Double.MAX_VALUE);
        scheme.setMinWidth(0);
        scheme.setPrefWidth(0);

        field(peakLr, "arm-peak-lr-" + index, title + ", " + Texts.get("setup.arm.peak_lr"), "setup.arm.peak_lr.help");
        peakLr.textProperty().bindBidirectional(draft.peakLrProperty());
        peakLr.promptTextProperty().bind(recipePeakLr);
        field(alpha, "arm-alpha-" + index, title + ", " + Texts.get("setup.arm.alpha"), "setup.arm.alpha.help");
        alpha.textProperty().bindBidirectional(draft.alphaProperty());
        showWhatTakesAlpha();
        draft.schemeProperty().addListener((property, before, now) -> showWhatTakesAlpha());

        remove.setId("arm-remove-" + index);
        remove.getStyleClass().addAll("icon-button", "quiet");
        Region icon = new Region();
        icon.getStyleClass().addAll("icon", "icon-close");
        remove.setGraphic(icon);
        remove.setAccessibleText(Texts.get("setup.arm.remove", title));
        remove.setTooltip(new Tooltip(Texts.get("setup.arm.remove", title)));

        validation.setValidationDecorator(new StyleClassValidationDecoration("invalid", "warned"));
        String place = "arms[" + index + "].";
        validate(scheme, place + "scheme", problems);
        validate(peakLr, place + "peak_lr", problems);
        validate(alpha, place + "alpha", problems);
    }

    private void showWhatTakesAlpha() {
        boolean taken = ArmSpec.takesAlpha(draft.schemeProperty().get());
        alpha.setDisable(!taken);
        alpha.setPromptText(taken ? Texts.get("setup.arm.alpha.prompt") : Texts.get("setup.arm.alpha.none"));
    }

    private static void field(TextField field, String id, String name, String help) {
        field.setId(id);
        field.setAccessibleText(name);
        field.setTooltip(new Tooltip(Texts.get(help)));
        field.setPrefColumnCount(4);
    }

    private <T> void validate(Control control, String key, Problems problems) {
        validation.<T>registerValidator(
                control, false, (at, value) -> ValidationResult.fromErrorIf(at, problems.of(key), problems.has(key)));
    }

    /** Marks what is wrong now. */
    void revalidate() {
        validation.revalidate();
    }
}
