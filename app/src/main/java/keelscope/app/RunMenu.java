package keelscope.app;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import javafx.scene.control.ButtonType;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.TextInputDialog;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Region;
import javafx.stage.Window;
import keelscope.run.RunPhase;
import keelscope.run.RunSession;
import keelscope.text.Quantities;
import keelscope.text.Texts;

/** What else can be asked of engines at work, and of those that have ended: a step, another rate, a probe, a checkpoint. */
final class RunMenu extends MenuButton {
    /** Factors by which the learning rate is changed. */
    private static final List<Double> FACTORS = List.of(0.1, 0.5, 2.0, 10.0);

    final MenuItem step = item("step", this::step);
    final MenuItem probe = item("probe", () -> command("probe"));
    final MenuItem checkpoint = item("checkpoint", () -> command("checkpoint"));
    final MenuItem goOn = item("go-on", this::goOn);
    /** Takes over what the run was set up with; what it does is the window's to say. */
    final MenuItem settings = item("settings", () -> {});
    private final Menu rate = new Menu(Texts.get("run.rate"));
    private Optional<RunSession> session = Optional.empty();
    private Runnable onGoOn = () -> {};

    RunMenu() {
        super(Texts.get("run.menu"));
        setId("run-menu");
        setMnemonicParsing(true);
        setMinWidth(Region.USE_PREF_SIZE);
        setTooltip(new Tooltip(Texts.get("run.menu.help")));
        rate.setId("run-rate");
        for (double factor : FACTORS) {
            MenuItem item = new MenuItem(Texts.get("run.rate.times", Quantities.number(factor)));
            item.setId("run-rate-" + Quantities.number(factor));
            item.setOnAction(event -> rate("x" + Quantities.number(factor)));
            rate.getItems().add(item);
        }
        MenuItem other = new MenuItem(Texts.get("run.rate.other"));
        other.setId("run-rate-other");
        other.setOnAction(event -> askForRate());
        rate.getItems().addAll(new SeparatorMenuItem(), other);
        getItems().addAll(step, rate, probe, checkpoint, new SeparatorMenuItem(), goOn, settings);
        setOnShowing(event -> show(session));
        show(Optional.empty());
    }

    /** What is told when engines have been started to go on. */
    void setOnGoOn(Runnable action) {
        onGoOn = action;
    }

    /** Offers what can be done with this run now. */
    void show(Optional<RunSession> run) {
        session = run;
        Optional<RunPhase> phase = run.map(each -> each.phaseProperty().get());
        boolean listening = phase.filter(each -> each.live() && each != RunPhase.STOPPING && each != RunPhase.STARTING)
                .isPresent();
        step.setDisable(!listening);
        rate.setDisable(!listening);
        probe.setDisable(!listening);
        checkpoint.setDisable(!listening);
        settings.setDisable(run.map(each -> each.phaseProperty().get().live() || each.snapshots().isEmpty()).orElse(true));
        goOn.setDisable(run.map(each -> each.resumable().isEmpty()).orElse(true));
    }

    /** Every engine takes one step and waits. */
    void step() {
        command("step");
    }

    /** Starts engines for the arms that ended before their last step. */
    void goOn() {
        session.filter(run -> !run.resumable().isEmpty()).ifPresent(run -> {
            run.goOn();
            onGoOn.run();
        });
    }

    /** Sends a command that takes nothing further, where engines listen. */
    void command(String command) {
        if (!step.isDisable()) {
            session.ifPresent(run -> run.command(command, ""));
        }
    }

    private void rate(String argument) {
        session.ifPresent(run -> run.command("lr", argument));
    }

    private void askForRate() {
        TextInputDialog question = new TextInputDialog();
        Window owner = getScene().getWindow();
        question.initOwner(owner);
        question.setTitle(Texts.get("app.name"));
        question.setHeaderText(Texts.get("run.rate.title"));
        question.setContentText(Texts.get("run.rate.text"));
        question.setGraphic(null);
        question.getDialogPane().getStylesheets().setAll(getScene().getStylesheets());
        question.getDialogPane().setId("rate-question");
        question.getEditor().setId("rate");
        question.getEditor().setAccessibleText(Texts.get("run.rate.text"));
        javafx.scene.Node ok = question.getDialogPane().lookupButton(ButtonType.OK);
        ok.setDisable(true);
        question.getEditor().textProperty().addListener((property, before, now) -> ok.setDisable(argument(now).isEmpty()));
        question.setOnHidden(event -> {
            String typed = question.getResult();
            if (typed != null) {
                argument(typed).ifPresent(this::rate);
            }
        });
        question.show();
    }

    /** The rate as an engine takes it: {@code 0,003} or {@code 3e-3} sets it, {@code x0.5} or {@code ×0,5} multiplies it. */
    static Optional<String> argument(String typed) {
        String plain = typed.strip().toLowerCase(Locale.ROOT);
        boolean factor = plain.startsWith("x") || plain.startsWith("×") || plain.startsWith("*");
        OptionalDouble value = Quantities.parse(factor ? plain.substring(1).strip() : plain);
        if (value.isEmpty() || !(value.getAsDouble() > 0) || Double.isInfinite(value.getAsDouble())) {
            return Optional.empty();
        }
        return Optional.of((factor ? "x" : "") + Quantities.number(value.getAsDouble()));
    }

    private static MenuItem item(String name, Runnable action) {
        MenuItem item = new MenuItem(Texts.get("run." + name));
        item.setId("run-" + name);
        item.setOnAction(event -> action.run());
        return item;
    }
}
