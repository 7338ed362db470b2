package keelscope.app;

import java.util.List;
import java.util.Optional;
import javafx.scene.Node;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.layout.Region;
import keelscope.run.Arm;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.RunEvent;
import keelscope.runfile.RunInfo;
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
    private final ArmChips chips = new ArmChips();
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
        getLeftItems().add(chips);
        getRightItems().addAll(device, why, threads, speed);
        show(List.of());
    }

    /** Shows the state of these arms. */
    void show(List<Arm> arms) {
        chips.show(arms);
        Optional<RunInfo> info =
                arms.stream().flatMap(arm -> arm.snapshot().stream()).map(ArmSnapshot::info).findFirst();
        device.setText(info.map(i -> Texts.get("status.device", i.device())).orElse(""));
        deviceNote = info.map(RunInfo::deviceNote).orElse("");
        ArmChips.explain(device, deviceNote);
        show(why, !deviceNote.isEmpty());
        threads.setText(info.map(i -> Texts.threads(i.threads())).orElse(""));
        // The engine says at its start how it chose threads and how often it measures.
        ArmChips.explain(
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
}
