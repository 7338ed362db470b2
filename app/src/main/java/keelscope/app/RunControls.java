package keelscope.app;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.image.ImageView;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import keelscope.run.Arm;
import keelscope.run.RunPhase;
import keelscope.run.RunProgress;
import keelscope.text.Quantities;
import keelscope.text.Texts;

/** The bar at the top: what is on screen, how far it is, and what can be done with it. */
final class RunControls extends HBox {
    /** Below this width, in sizes of type, buttons show their pictures only. */
    private static final double NARROW = 76;

    private static final PseudoClass NARROW_STATE = PseudoClass.getPseudoClass("narrow");

    final Button start = button("start", "icon-play");
    final Button pause = button("pause", "icon-pause");
    final Button stop = button("stop", "icon-stop");
    final ToggleButton setup = new ToggleButton();
    final MenuItem openFile = new MenuItem(Texts.get("open.file"));
    final MenuItem openFolder = new MenuItem(Texts.get("open.folder"));
    final MenuItem openLibrary = new MenuItem(Texts.get("library.open"));
    final MenuItem openLog = new MenuItem(Texts.get("open.log"));
    final MenuItem openExperiment = new MenuItem(Texts.get("open.experiment"));
    private final Label title = new Label();
    private final Label subtitle = new Label();
    private final Tooltip titleTip = new Tooltip();
    private final Tooltip subtitleTip = new Tooltip();
    private boolean offersToResume;
    private final ProgressBar progress = new ProgressBar(0);
    private final Label progressText = new Label();

    /** @param menus the menus at the end of the bar */
    RunControls(ImageView icon, Node... menus) {
        setId("controls");
        getStyleClass().add("controls");
        setAlignment(Pos.CENTER_LEFT);

        setup.setId("show-setup");
        setup.setGraphic(icon("icon-panel"));
        setup.getStyleClass().addAll("icon-button", "quiet");
        setup.setAccessibleText(Texts.get("controls.setup"));
        setup.setTooltip(new Tooltip(Texts.get("controls.setup.help")));
        setup.setSelected(true);

        title.setId("title");
        title.getStyleClass().add("title");
        title.setWrapText(true);
        title.setMinHeight(Region.USE_PREF_SIZE);
        subtitle.setId("subtitle");
        title.setTooltip(titleTip);
        subtitle.setTooltip(subtitleTip);
        subtitle.getStyleClass().add("subtitle");
        VBox titles = new VBox(title, subtitle);
        titles.getStyleClass().add("titles");
        titles.setMinWidth(0);
        HBox.setHgrow(titles, Priority.ALWAYS);

        start.getStyleClass().add("primary");
        progress.setId("progress");
        progress.setAccessibleText(Texts.get("controls.progress"));
        progress.setMaxWidth(Double.MAX_VALUE);
        progressText.setId("progress-text");
        progressText.getStyleClass().add("progress-text");
        progressText.setMinWidth(Region.USE_PREF_SIZE);
        VBox progressBox = new VBox(progressText, progress);
        progressBox.getStyleClass().add("progress-box");

        MenuButton open = new MenuButton(Texts.get("open"));
        open.setId("open");
        open.setMnemonicParsing(true);
        openFile.setId("open-file");
        openFolder.setId("open-folder");
        openLibrary.setId("open-library");
        open.getItems().addAll(openLibrary, openFile, openFolder, openLog, openExperiment);
        open.setMinWidth(Region.USE_PREF_SIZE);
        open.setTooltip(new Tooltip(Texts.get("open.help")));

        getChildren().addAll(setup, icon, titles, progressBox, start, pause, stop);
        getChildren().addAll(menus);
        getChildren().add(open);
        show(Optional.empty(), List.of(), false);
    }

    @Override
    protected void layoutChildren() {
        pseudoClassStateChanged(NARROW_STATE, getWidth() < NARROW * start.getFont().getSize());
        super.layoutChildren();
    }

    /** Shows what is on screen: a name, and below it where it is kept. */
    void title(String name, String place) {
        title.setText(name);
        titleTip.setText(name);
        subtitle.setText(place);
        subtitleTip.setText(place);
    }

    /**
     * Shows what can be done and how far it is.
     *
     * @param phase what the run is doing; empty where there is none
     */
    void show(Optional<RunPhase> phase, List<Arm> arms, boolean pauseRequested) {
        boolean live = phase.map(RunPhase::live).orElse(false);
        boolean ending = phase.equals(Optional.of(RunPhase.STOPPING));
        pause.setDisable(!live || ending);
        stop.setDisable(!live || ending);
        offerToResume(pauseRequested && live);

        RunProgress now = RunProgress.of(arms);
        boolean known = phase.isPresent() && now.steps() > 0;
        progress.setVisible(phase.isPresent());
        progress.setProgress(
                phase.equals(Optional.of(RunPhase.STARTING)) ? ProgressBar.INDETERMINATE_PROGRESS : now.share());
        progressText.setText(phase.map(p -> progressText(p, now, known)).orElse(""));
    }

    private void offerToResume(boolean resume) {
        if (resume == offersToResume) {
            return;
        }
        offersToResume = resume;
        String name = resume ? "controls.resume" : "controls.pause";
        pause.setText(Texts.get(name));
        pause.setAccessibleText(Texts.get(name).replace("_", ""));
        pause.setGraphic(icon(resume ? "icon-play" : "icon-pause"));
        pause.getTooltip().setText(Texts.get(name + ".help"));
    }

    private static String progressText(RunPhase phase, RunProgress now, boolean known) {
        if (phase == RunPhase.STARTING || !known) {
            return Texts.get(phase.live() ? "progress.starting" : "progress.none");
        }
        String steps = now.taken();
        return switch (phase) {
            case PAUSED -> Texts.get("progress.paused", steps);
            case STOPPING -> Texts.get("progress.stopping", steps);
            case ENDED -> Texts.get("progress.ended", steps);
            default -> now.left()
                    .map(left -> Texts.get("progress.left", steps, Quantities.duration(roundedUp(left))))
                    .orElse(steps);
        };
    }

    /** Time left in steps of 5 s beyond ten, so that the text does not flicker. */
    private static Duration roundedUp(Duration left) {
        long seconds = (left.toMillis() + 999) / 1000;
        return Duration.ofSeconds(seconds <= 10 ? seconds : (seconds + 4) / 5 * 5);
    }

    private static Button button(String name, String icon) {
        Button button = new Button(Texts.get("controls." + name));
        button.setId(name);
        button.setMnemonicParsing(true);
        button.setGraphic(icon(icon));
        button.setTooltip(new Tooltip(Texts.get("controls." + name + ".help")));
        button.setMinWidth(Region.USE_PREF_SIZE);
        button.setAccessibleText(button.getText().replace("_", ""));
        return button;
    }

    private static Node icon(String name) {
        Region icon = new Region();
        icon.getStyleClass().addAll("icon", name);
        return icon;
    }
}
