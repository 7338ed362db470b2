package keelscope.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import javafx.animation.AnimationTimer;
import javafx.beans.InvalidationListener;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.Slider;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.util.StringConverter;
import keelscope.chart.StyleClasses;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.RunEvent;
import keelscope.text.ArmStyle;
import keelscope.text.Quantities;
import keelscope.text.Texts;

/**
 * The line of time below the charts: a slider over all recorded steps with a mark for every event, replay with its
 * speed, a step back and forth, and the way back to what is recorded now.
 */
public final class Scrubber extends HBox {
    /** Speeds of the replay in steps per second. */
    private static final List<Double> SPEEDS = List.of(1.0, 5.0, 20.0, 100.0, 500.0, 2000.0, 10_000.0);

    /** A whole run is replayed in about so many seconds, until another speed is chosen. */
    private static final double WHOLE_S = 20;

    /** Events that lie closer than a mark is wide cannot be told apart; more marks than this are never drawn. */
    private static final int MOST_MARKS = 400;

    private static final PseudoClass LIVE = PseudoClass.getPseudoClass("live");

    private final TimeCursor cursor;
    private final Slider slider = new Slider(0, 0, 0);
    private final Marks marks = new Marks();
    private final Button play = button("play", "icon-play");
    private final Button back = button("back", "icon-back");
    private final Button forward = button("forward", "icon-forward");
    private final Button live = button("live", "icon-to-live");
    private final ComboBox<Double> speed = new ComboBox<>();
    private final Label where = new Label();
    private boolean ours;
    private boolean speedChosen;

    public Scrubber(TimeCursor cursor) {
        this.cursor = cursor;
        setId("scrubber");
        getStyleClass().add("scrubber");
        setAlignment(Pos.CENTER_LEFT);
        setAccessibleRole(AccessibleRole.TOOL_BAR);
        setAccessibleText(Texts.get("scrubber.title"));

        slider.setId("scrubber-slider");
        slider.setAccessibleText(Texts.get("scrubber.slider"));
        slider.setBlockIncrement(1);
        // Arrow keys step wherever the focus is; the slider's own would count in tenths of its length.
        slider.addEventFilter(KeyEvent.KEY_PRESSED, this::keyOnSlider);
        slider.valueProperty().addListener((property, before, now) -> {
            if (!ours) {
                cursor.pause();
                cursor.at((int) Math.round(now.doubleValue()));
            }
        });
        StackPane line = new StackPane(slider, marks);
        line.getStyleClass().add("scrubber-line");
        line.setMinWidth(80);
        HBox.setHgrow(line, Priority.ALWAYS);

        where.setId("scrubber-step");
        where.getStyleClass().add("scrubber-step");
        where.setMinWidth(Region.USE_PREF_SIZE);
        play.setOnAction(event -> {
            if (cursor.playingProperty().get()) {
                cursor.pause();
            } else {
                cursor.play();
            }
        });
        back.setOnAction(event -> cursor.move(-1));
        forward.setOnAction(event -> cursor.move(1));
        live.setOnAction(event -> cursor.live());
        live.setText(Texts.get("scrubber.live"));
        speed.setId("scrubber-speed");
        speed.getItems().setAll(SPEEDS);
        speed.setConverter(new StringConverter<>() {
            @Override
            public String toString(Double value) {
                return value == null ? "" : Texts.get("scrubber.speed.value", Quantities.count(Math.round(value)));
            }

            @Override
            public Double fromString(String text) {
                throw new UnsupportedOperationException("The speeds are chosen, never typed.");
            }
        });
        speed.setAccessibleText(Texts.get("scrubber.speed"));
        speed.setTooltip(new Tooltip(Texts.get("scrubber.speed")));
        speed.setMinWidth(Region.USE_PREF_SIZE);
        speed.setValue(SPEEDS.get(0));
        speed.setOnAction(event -> {
            if (!ours) {
                speedChosen = true;
            }
            cursor.speed(speed.getValue());
        });
        getChildren().addAll(back, play, forward, speed, line, where, live);

        InvalidationListener refresh = property -> refresh();
        cursor.stepProperty().addListener(refresh);
        cursor.lastProperty().addListener(refresh);
        cursor.playingProperty().addListener((property, before, playing) -> {
            refresh();
            if (playing) {
                new Replay().start();
            }
        });
        refresh();
    }

    /** Shows the steps and events of these arms. */
    public void show(List<ArmSnapshot> arms) {
        cursor.recorded(arms.stream().mapToInt(ArmSnapshot::lastStep).max().orElse(-1));
        marks.show(arms, cursor.lastProperty().get());
    }

    private void keyOnSlider(KeyEvent event) {
        if (event.getCode() == KeyCode.HOME) {
            cursor.pause();
            cursor.at(0);
            event.consume();
        } else if (event.getCode() == KeyCode.END) {
            cursor.live();
            event.consume();
        }
    }

    private void refresh() {
        int last = cursor.lastProperty().get();
        OptionalInt step = cursor.stepProperty().get();
        ours = true;
        try {
            slider.setMax(Math.max(1, last));
            slider.setValue(Math.max(0, cursor.shown()));
            if (!speedChosen && last >= 0) {
                Double wanted = SPEEDS.get(0);
                for (Double offered : SPEEDS) {
                    if (offered <= Math.max(1, last / WHOLE_S * 1.5)) {
                        wanted = offered;
                    }
                }
                speed.setValue(wanted);
                cursor.speed(wanted);
            }
        } finally {
            ours = false;
        }
        boolean nothing = last < 0;
        slider.setDisable(nothing);
        play.setDisable(nothing);
        back.setDisable(nothing || cursor.shown() <= 0);
        forward.setDisable(nothing || cursor.shown() >= last);
        live.setDisable(step.isEmpty());
        pseudoClassStateChanged(LIVE, step.isEmpty());
        where.setText(
                nothing
                        ? ""
                        : step.isEmpty()
                                ? Texts.get("scrubber.at.live", last)
                                : Texts.get("scrubber.at", step.getAsInt(), last));
        boolean playing = cursor.playingProperty().get();
        String name = playing ? "hold" : "play";
        StyleClasses.set(play.getGraphic(), "icon", playing ? "icon-pause" : "icon-play");
        play.setAccessibleText(Texts.get("scrubber." + name));
        play.getTooltip().setText(Texts.get("scrubber." + name));
        marks.reach(last);
    }

    private static Button button(String name, String iconStyle) {
        Region icon = new Region();
        icon.getStyleClass().addAll("icon", iconStyle);
        Button button = new Button("", icon);
        button.setId("scrubber-" + name);
        button.getStyleClass().addAll("icon-button", "quiet");
        button.setAccessibleText(Texts.get("scrubber." + name));
        button.setTooltip(new Tooltip(Texts.get("scrubber." + name)));
        button.setMinWidth(Region.USE_PREF_SIZE);
        return button;
    }

    /** Moves the cursor with every frame while the replay runs. */
    private final class Replay extends AnimationTimer {
        private Optional<Long> before = Optional.empty();

        @Override
        public void handle(long now) {
            if (!cursor.playingProperty().get()) {
                stop();
                return;
            }
            before.ifPresent(then -> cursor.elapse((now - then) / 1e9));
            before = Optional.of(now);
        }
    }

    /** A tick at the step of every event, in the colour of its arm, which says what happened when the mouse is on it. */
    private static final class Marks extends Pane {
        private final List<Integer> steps = new ArrayList<>();
        private long shownEvents = -1;
        private int last = -1;

        Marks() {
            getStyleClass().add("scrubber-marks");
            // Between the marks the slider is to be reached.
            setPickOnBounds(false);
        }

        void show(List<ArmSnapshot> arms, int newest) {
            long events = arms.stream().mapToLong(arm -> arm.events().size()).sum()
                    + 31L * arms.stream().mapToLong(arm -> arm.file().hashCode()).sum();
            if (events != shownEvents) {
                shownEvents = events;
                getChildren().clear();
                steps.clear();
                for (ArmSnapshot arm : arms) {
                    for (RunEvent event : arm.events()) {
                        if (event.step() >= 0 && steps.size() < MOST_MARKS && !event.kind().equals("pace")) {
                            add(arm, event);
                        }
                    }
                }
            }
            reach(newest);
        }

        private void add(ArmSnapshot arm, RunEvent event) {
            Region mark = new Region();
            mark.getStyleClass().addAll("scrubber-mark", ArmStyle.of(arm.colour()));
            String text = Texts.get("scrubber.mark", arm.info().arm(), event.step(), event.text());
            Tooltip.install(mark, new Tooltip(text));
            mark.setAccessibleText(text);
            steps.add(event.step());
            getChildren().add(mark);
        }

        void reach(int newest) {
            if (newest != last) {
                last = newest;
                requestLayout();
            }
        }

        @Override
        protected void layoutChildren() {
            // The middle of the slider's thumb goes from half a thumb to half a thumb before the end.
            double thumb = Optional.ofNullable(getParent().lookup(".thumb")).map(node -> node.prefWidth(-1)).orElse(0.0);
            double room = getWidth() - thumb;
            for (int i = 0; i < steps.size(); i++) {
                Node mark = getChildren().get(i);
                double width = mark.prefWidth(-1);
                double height = mark.prefHeight(-1);
                double x = thumb / 2 + room * Math.min(1, steps.get(i) / (double) Math.max(1, last)) - width / 2;
                mark.resizeRelocate(snapPositionX(x), 0, width, height);
            }
        }
    }
}
