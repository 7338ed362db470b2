package keelscope.setup;

import java.util.Optional;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.TrainingChange;
import keelscope.model.Scheme;
import keelscope.text.Quantities;

/** One row of the arms as it is typed: a scheme, and texts for α and the peak rate that may be empty. */
final class ArmDraft {
    private final ObjectProperty<Scheme> scheme = new SimpleObjectProperty<>(this, "scheme");
    private final StringProperty alpha = new SimpleStringProperty(this, "alpha", "");
    private final StringProperty peakLr = new SimpleStringProperty(this, "peakLr", "");
    private final Optional<ArmSpec> loaded;

    /** A new row. */
    ArmDraft(Scheme scheme) {
        this.scheme.set(scheme);
        this.loaded = Optional.empty();
    }

    /** A row that shows {@code arm}. */
    ArmDraft(ArmSpec arm) {
        scheme.set(arm.scheme());
        arm.alpha().ifPresent(value -> alpha.set(Quantities.number(value)));
        arm.peakLr().ifPresent(value -> peakLr.set(Quantities.number(value)));
        loaded = Optional.of(arm);
    }

    ObjectProperty<Scheme> schemeProperty() {
        return scheme;
    }

    /** α as typed; empty: the scheme's own. */
    StringProperty alphaProperty() {
        return alpha;
    }

    /** Peak learning rate as typed; empty: the recipe's. */
    StringProperty peakLrProperty() {
        return peakLr;
    }

    /** The name it came with, while it is still the same scheme. */
    Optional<String> givenName() {
        return kept().map(ArmSpec::name);
    }

    /** Whether it came with a trained α, while it is still the same scheme. */
    boolean trainedAlpha() {
        return kept().map(ArmSpec::trainedAlpha).orElse(false);
    }

    /** What is different in the recipe it came with, while it is still the same scheme. */
    TrainingChange training() {
        return kept().map(ArmSpec::training).orElse(TrainingChange.NONE);
    }

    private Optional<ArmSpec> kept() {
        return loaded.filter(arm -> arm.scheme() == scheme.get());
    }
}
