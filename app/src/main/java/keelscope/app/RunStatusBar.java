package keelscope.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import keelscope.chart.StyleClasses;
import keelscope.run.Arm;
import keelscope.run.ArmPhase;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.RunEvent;
import keelscope.runfile.RunInfo;
import keelscope.setup.SetupPane;
import keelscope.text.Quantities;
import keelscope.text.Texts;
import org.controlsfx.control.PopOver;
import org.controlsfx.control.StatusBar;

/** The bar at the bottom: the state of each arm, the device and why it is that one, threads, and tokens per second. */
final class RunStatusBar extends StatusBar {
    private final Label device = new Label();
    private final Hyperlink why = new Hyperlink(Texts.get("status.device.why"));
    private final Label threads = new Label();
    private final Label speed = new Label();
    private final List<Chip> chips = new ArrayList<>();
    private String deviceNote = "";

    RunStatusBar() {
        setId("status");
        setAccessibleText(Texts.get("status.title"));
        setFocusTraversable(false);
        setText("");
        device.setId("status-device");
        why.setId("status-device-why");
        why.setOnAction(event -> explainDevice());
        threads.setId("status-threads");
        speed.setId("status-speed");
        for (Label label : List.of(device, threads, speed)) {
            label.getStyleClass().add("status-item");
            label.setMinWidth(Region.USE_PREF_SIZE);
        }
        why.getStyleClass().add("status-link");
        why.setMinWidth(Region.USE_PREF_SIZE);
        getRightItems().addAll(device, why, threads, speed);
        show(List.of());
    }

    /** Shows the state of these arms. */
    void show(List<Arm> arms) {
        while (chips.size() > arms.size()) {
            getLeftItems().remove(chips.remove(chips.size() - 1));
        }
        for (int i = 0; i < arms.size(); i++) {
            if (i == chips.size()) {
                Chip chip = new Chip();
                chips.add(chip);
                getLeftItems().add(chip);
            }
            chips.get(i).show(arms.get(i));
        }
        Optional<RunInfo> info =
                arms.stream().flatMap(arm -> arm.snapshot().stream()).map(ArmSnapshot::info).findFirst();
        device.setText(info.map(i -> Texts.get("status.device", i.device())).orElse(""));
        deviceNote = info.map(RunInfo::deviceNote).orElse("");
        explain(device, deviceNote);
        show(why, !deviceNote.isEmpty());
        threads.setText(info.map(i -> Texts.threads(i.threads())).orElse(""));
        // The engine says at its start how it chose threads and how often it measures.
        explain(
                threads,
                arms.stream()
                        .flatMap(arm -> arm.snapshot().stream())
                        .flatMap(arm -> arm.events().stream())
                        .filter(event -> event.kind().equals("pace"))
                        .map(RunEvent::text)
                        .findFirst()
                        .orElse(""));
        double tokens = arms.stream().mapToDouble(Arm::tokensPerSecond).sum();
        speed.setText(tokens > 0 ? Texts.get("status.speed", Quantities.count(Math.round(tokens))) : "");
        show(device, info.isPresent());
        show(threads, info.isPresent());
        show(speed, tokens > 0);
    }

    private static void show(Node node, boolean shown) {
        node.setVisible(shown);
        node.setManaged(shown);
    }

    /** Gives a label a tooltip; the same one while its text is the same, since a new one would close the open one. */
    private static void explain(Label label, String text) {
        if (text.isEmpty()) {
            label.setTooltip(null);
        } else if (label.getTooltip() == null) {
            label.setTooltip(new Tooltip(text));
        } else if (!label.getTooltip().getText().equals(text)) {
            label.getTooltip().setText(text);
        }
    }

    private void explainDevice() {
        Label text = new Label(deviceNote);
        text.setId("device-note");
        text.setWrapText(true);
        text.getStyleClass().add("popover-text");
        PopOver popOver = new PopOver(text);
        popOver.setTitle(device.getText());
        popOver.setArrowLocation(PopOver.ArrowLocation.BOTTOM_CENTER);
        popOver.show(why);
    }

    /** One arm: its colour, name and state. */
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

        void show(Arm arm) {
            setId("arm-" + arm.colour());
            StyleClasses.set(dot, "arm-swatch", "arm-colour-" + arm.colour() % SetupPane.COLOURS);
            name.setText(arm.title());
            state.setText(arm.state());
            state.pseudoClassStateChanged(BAD, arm.phase() == ArmPhase.FAILED || arm.phase() == ArmPhase.GONE);
            state.pseudoClassStateChanged(WARNED, arm.phase() == ArmPhase.DIVERGED);
            explain(name, arm.message());
            explain(state, arm.message());
            setAccessibleText(arm.title() + ": " + state.getText() + " " + arm.message());
        }
    }
}
