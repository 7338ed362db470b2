package keelscope.app;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javafx.css.PseudoClass;
import javafx.geometry.HPos;
import javafx.geometry.Pos;
import javafx.geometry.VPos;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import keelscope.chart.StyleClasses;
import keelscope.run.Arm;
import keelscope.run.ArmPhase;
import keelscope.text.ArmStyle;
import keelscope.text.Texts;

/** The arms and what each is doing, side by side; those for which there is no room are counted, and named by a tooltip. */
final class ArmChips extends HBox {
    private final List<Chip> chips = new ArrayList<>();
    private final Label more = new Label();

    ArmChips() {
        getStyleClass().add("arm-chips");
        more.getStyleClass().add("status-item");
        more.setId("arms-more");
        more.setTooltip(new Tooltip());
        getChildren().add(more);
    }

    /** Shows the state of these arms. */
    void show(List<Arm> arms) {
        while (chips.size() > arms.size()) {
            getChildren().remove(chips.remove(chips.size() - 1));
        }
        while (chips.size() < arms.size()) {
            Chip chip = new Chip();
            getChildren().add(chips.size(), chip);
            chips.add(chip);
        }
        for (int i = 0; i < arms.size(); i++) {
            chips.get(i).show(i, arms.get(i));
        }
        requestLayout();
    }

    @Override
    protected double computeMinWidth(double height) {
        return 0;
    }

    @Override
    protected double computePrefWidth(double height) {
        return chips.stream().mapToDouble(chip -> chip.prefWidth(-1) + getSpacing()).sum();
    }

    @Override
    protected void layoutChildren() {
        boolean all = computePrefWidth(-1) <= getWidth() + getSpacing();
        more.setText(Texts.get("status.more", chips.size()));
        double room = all ? Double.MAX_VALUE : getWidth() - more.prefWidth(-1);
        double x = 0;
        boolean fits = true;
        List<Chip> hidden = new ArrayList<>();
        for (Chip chip : chips) {
            double width = snapSizeX(chip.prefWidth(-1));
            fits &= x + width <= room;
            chip.setVisible(fits);
            if (fits) {
                layoutInArea(chip, x, 0, width, getHeight(), 0, HPos.LEFT, VPos.CENTER);
                x += width + getSpacing();
            } else {
                hidden.add(chip);
            }
        }
        more.setVisible(!hidden.isEmpty());
        more.setText(Texts.get("status.more", hidden.size()));
        more.getTooltip().setText(hidden.stream().map(Chip::getAccessibleText).collect(Collectors.joining("\n")));
        layoutInArea(more, x, 0, more.prefWidth(-1), getHeight(), 0, HPos.LEFT, VPos.CENTER);
    }

    /** Gives a label a tooltip; the same one while its text is the same, since a new one would close the open one. */
    static void explain(Label label, String text) {
        if (text.isEmpty()) {
            label.setTooltip(null);
        } else if (label.getTooltip() == null) {
            label.setTooltip(new Tooltip(text));
        } else if (!label.getTooltip().getText().equals(text)) {
            label.getTooltip().setText(text);
        }
    }

    /** One arm: the colour that it has in the charts, its name and state. */
    private static final class Chip extends HBox {
        private static final PseudoClass BAD = PseudoClass.getPseudoClass("bad");
        private static final PseudoClass WARNED = PseudoClass.getPseudoClass("warned");

        private final Region dot = new Region();
        private final Label name = new Label();
        private final Label state = new Label();

        Chip() {
            getStyleClass().add("arm-chip");
            setAlignment(Pos.CENTER_LEFT);
            name.getStyleClass().add("arm-name");
            state.getStyleClass().add("arm-state");
            setMinWidth(Region.USE_PREF_SIZE);
            getChildren().addAll(dot, name, state);
        }

        void show(int place, Arm arm) {
            setId("arm-" + place);
            StyleClasses.set(dot, "arm-swatch", ArmStyle.of(arm.colour()));
            name.setText(arm.title());
            state.setText(arm.state());
            state.pseudoClassStateChanged(BAD, arm.phase() == ArmPhase.FAILED || arm.phase() == ArmPhase.GONE);
            state.pseudoClassStateChanged(WARNED, arm.phase() == ArmPhase.DIVERGED);
            explain(name, arm.message());
            explain(state, arm.message());
            setAccessibleText((arm.title() + ": " + state.getText() + " " + arm.message()).strip());
        }
    }
}
