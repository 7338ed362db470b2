package keelscope.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.Label;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.Slider;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.paint.Color;
import javafx.stage.Stage;
import keelscope.chart.AxisRange;
import keelscope.chart.ChartTile;
import keelscope.dashboard.Arrangement;
import keelscope.dashboard.Preset;
import keelscope.run.ArmSnapshot;
import keelscope.run.RecordedRun;
import keelscope.runfile.Measure;
import keelscope.runfile.RunStatus;
import org.junit.jupiter.api.Test;

/** What can be done to look at a run: arranging charts, going through time, explanations, themes, keys. */
class InstrumentTest extends WindowTest {
    private static final int LAYERS = 8;
    private static final int STEPS = 60;

    private MainWindow other;

    // --- charts and their places ------------------------------------------------------------------------------------

    @Test
    void aChartDraggedByItsHeaderToTheRightOfAnotherStandsThere() {
        openRun();
        ChartTile loss = tile("loss");
        ChartTile gradient = tile("gradient-by-layer");
        assertThat(left(loss)).isLessThan(left(gradient));
        Bounds there = onScreen(gradient);
        robot.drag(header(loss), MouseButton.PRIMARY)
                .moveTo(there.getMaxX() - 40, there.getCenterY())
                .drop();
        until("loss stands to the right", () -> left(loss) > left(gradient));
        assertThat(window.dashboard().arrangementProperty().get().charts()).startsWith("gradient-by-layer", "loss");
    }

    @Test
    void aBorderDraggedToTheRightMakesTheLeftChartWiderAndTheRightOneNarrowerByAsMuch() {
        openRun();
        double wide = tile("loss").getWidth();
        double narrow = tile("gradient-by-layer").getWidth();
        Bounds border = onScreen(node("#border-0-0"));
        robot.drag(border.getCenterX(), border.getCenterY(), MouseButton.PRIMARY)
                .moveTo(border.getCenterX() + 80, border.getCenterY())
                .drop();
        until("the left chart is wider", () -> tile("loss").getWidth() > wide + 60);
        assertThat(tile("loss").getWidth() + tile("gradient-by-layer").getWidth()).isEqualTo(wide + narrow);
    }

    @Test
    void theMenuHidesAChartAndShowsItAgain() {
        openRun();
        CheckMenuItem item = (CheckMenuItem) item("#view", "show-carry-gate");
        assertThat(item.isSelected()).isTrue();
        choose(item, false);
        until("the chart is gone", () -> !exists("#chart-carry-gate"));
        choose(item, true);
        until("the chart draws the run", () -> tile("carry-gate").summary().contains("Pre-LN"));
    }

    @Test
    void whatWasChosenOnChartsIsThereAtTheNextStartHiddenOnesIncluded() {
        Path file = folder.resolve("window.json");
        Stage first = anotherWindow(Settings.in(file));
        robot.interact(() -> {
            other.dashboard().choose(Map.of("loss", Map.of("log", "true"), "carry-gate", Map.of("sub-layers", "FEED_FORWARD")));
            other.dashboard().show("loss", false);
            first.close();
        });
        Stage second = anotherWindow(Settings.in(file));
        robot.interact(() -> other.dashboard().show("loss", true));
        assertThat(other.dashboard().chosen().get("loss")).containsEntry("log", "true");
        assertThat(other.dashboard().chosen().get("carry-gate")).containsEntry("sub-layers", "FEED_FORWARD");
        robot.interact(second::close);
    }

    @Test
    void axesThatStandStillStandThereAtTheNextStartOverAnotherRunToo() {
        Path file = folder.resolve("window.json");
        Stage first = anotherWindow(Settings.in(file));
        Path run = RecordedRun.write(folder.resolve("recorded"), LAYERS, STEPS, STEPS, RunStatus.FINISHED, "");
        robot.interact(() -> other.open(run));
        until("the run is drawn", () -> other.dashboard().tiles().get(0).summary().contains("Post-LN"));
        robot.interact(() -> other.dashboard().range(AxisRange.FIXED));
        Map<String, String> loss = other.dashboard().chosen().get("loss");
        assertThat(loss).containsEntry("axes", "FIXED").containsKey("axes-limits");
        robot.interact(() -> {
            other.session().orElseThrow().close();
            first.close();
        });
        Stage second = anotherWindow(Settings.in(file));
        Path longer = RecordedRun.write(folder.resolve("longer"), LAYERS, 5 * STEPS, 2 * STEPS, RunStatus.FINISHED, "");
        robot.interact(() -> other.open(longer));
        until("the run is drawn", () -> other.dashboard().tiles().get(0).summary().contains("Post-LN"));
        assertThat(other.dashboard().chosen().get("loss")).isEqualTo(loss);
        robot.interact(() -> {
            other.session().orElseThrow().close();
            second.close();
        });
    }

    /** Another window, which remembers. */
    private Stage anotherWindow(Settings settings) {
        Stage[] made = new Stage[1];
        robot.interact(() -> {
            made[0] = new Stage();
            other = new MainWindow(made[0], folder.resolve("runs"), settings);
            other.show();
        });
        return made[0];
    }

    @Test
    void aPresetShowsItsChartsWithTheRunInThem() {
        openRun();
        robot.interact(() -> item("#view", "preset-gates").fire());
        assertThat(window.dashboard().arrangementProperty().get()).isEqualTo(Preset.GATES.arrangement());
        until("the gate is drawn", () -> tile("carry-gate").summary().contains("Pre-LN"));
        assertThat(exists("#chart-loss")).isFalse();
    }

    @Test
    void keysMoveTheChartInFocusAndMakeItWider() {
        openRun();
        robot.type(KeyCode.F6);
        assertThat(window.dashboard().attendedProperty().get()).contains(tile("loss"));
        assertThat(tile("loss").isFocused()).isTrue();
        double width = tile("loss").getWidth();
        robot.press(KeyCode.ALT, KeyCode.SHIFT).type(KeyCode.RIGHT).release(KeyCode.SHIFT, KeyCode.ALT);
        until("it is wider", () -> tile("loss").getWidth() > width);
        robot.press(KeyCode.CONTROL, KeyCode.SHIFT).type(KeyCode.RIGHT).release(KeyCode.SHIFT, KeyCode.CONTROL);
        until("it stands to the right", () -> left(tile("loss")) > left(tile("gradient-by-layer")));
        with(KeyCode.M);
        assertThat(window.dashboard().maximisedProperty().get()).contains(tile("loss"));
        robot.type(KeyCode.ESCAPE);
        assertThat(window.dashboard().maximisedProperty().get()).isEmpty();
    }

    @Test
    void theNextStartFindsTheWindowAsItWasLeft() {
        Path file = folder.resolve("settings").resolve("window.json");
        Arrangement left = Preset.OVERVIEW.arrangement().without("carry-gate");
        robot.interact(() -> {
            Stage first = new Stage();
            MainWindow before = new MainWindow(first, folder.resolve("runs"), Settings.in(file));
            before.show();
            first.setX(40);
            first.setY(30);
            first.setWidth(1100);
            first.setHeight(700);
            before.dashboard().arrange(left);
            before.looks().darkProperty().set(true);
            before.looks().sizeProperty().set(125);
            first.close();
        });
        robot.interact(() -> {
            Stage second = new Stage();
            MainWindow after = new MainWindow(second, folder.resolve("runs"), Settings.in(file));
            after.show();
            assertThat(after.dashboard().arrangementProperty().get()).isEqualTo(left);
            assertThat(after.looks().darkProperty().get()).isTrue();
            assertThat(after.looks().sizeProperty().get()).isEqualTo(125);
            assertThat(List.of(second.getX(), second.getY(), second.getWidth(), second.getHeight()))
                    .containsExactly(40.0, 30.0, 1100.0, 700.0);
            second.close();
        });
    }

    // --- time -------------------------------------------------------------------------------------------------------

    @Test
    void theArrowKeysGoThroughTimeAndEveryChartShowsThatStep() {
        openRun();
        assertThat(textOf("#scrubber-step")).contains("59");
        robot.interact(() -> window.dashboard().requestFocus());
        robot.type(KeyCode.LEFT);
        assertThat(textOf("#scrubber-step")).contains("58");
        // Gradient norms are recorded at every step, gates at every tenth: at step 58 the last is that of 50.
        until("all arms are shown at step 58", () -> arms().stream().allMatch(arm -> arm.cursor() == 58));
        assertThat(arms()).allSatisfy(arm -> {
            assertThat(arm.layers().get(Measure.PARAM_GRAD_NORM).step()).isEqualTo(58);
            assertThat(arm.layers().get(Measure.CARRY_GATE_MEAN).step()).isEqualTo(50);
        });
        robot.type(KeyCode.RIGHT);
        assertThat(textOf("#scrubber-step")).contains("59");
        press("#scrubber-back");
        press("#scrubber-back");
        assertThat(time()).isEqualTo(OptionalInt.of(57));
        press("#scrubber-live");
        assertThat(time()).isEmpty();
        until("all arms are shown live", () -> arms().stream().allMatch(arm -> arm.cursor() == -1));
    }

    @Test
    void theSliderGoesToAStepAndTheReplayRunsFromThereToTheEnd() {
        openRun();
        Slider slider = (Slider) node("#scrubber-slider");
        robot.interact(() -> slider.setValue(20));
        assertThat(time()).isEqualTo(OptionalInt.of(20));
        robot.interact(() -> window.dashboard().time().speed(500));
        press("#scrubber-play");
        until("the replay has come to the end", () -> time().equals(OptionalInt.of(STEPS - 1))
                && !window.dashboard().time().playingProperty().get());
    }

    @Test
    void everyEventIsMarkedOnTheLineOfTimeWithItsWords() {
        openRun();
        List<String> marks = node("#scrubber").lookupAll(".scrubber-mark").stream().map(Node::getAccessibleText).toList();
        assertThat(marks).anySatisfy(mark -> assertThat(mark).contains("post_ln").contains("step 59").contains("not a number"));
    }

    // --- explanations, looks, keys ----------------------------------------------------------------------------------

    @Test
    void thePanelExplainsTheChartInFocusWithFormulaUnitAndParagraph() {
        openRun();
        assertThat(node("#explain").isVisible()).isFalse();
        with(KeyCode.I);
        assertThat(node("#explain").isVisible()).isTrue();
        robot.type(KeyCode.F6);
        until("the loss is explained", () -> textOf("#explain-heading").equals("Loss"));
        List<String> words = node("#explain").lookupAll(".label").stream().map(label -> ((Label) label).getText()).toList();
        assertThat(words).anySatisfy(word -> assertThat(word).contains("nats"));
        assertThat(words).contains(tile("loss").definitions().get(0).formula());
        assertThat(words).contains(tile("loss").definitions().get(0).explanation());
        robot.type(KeyCode.F6);
        until("the next chart is explained", () -> textOf("#explain-heading").equals(tile("gradient-by-layer").title()));
    }

    @Test
    void textStaysReadableInEachTheme() {
        openRun();
        with(KeyCode.I);
        robot.type(KeyCode.F6);
        for (boolean dark : List.of(false, true)) {
            for (boolean projector : List.of(false, true)) {
                robot.interact(() -> {
                    window.looks().darkProperty().set(dark);
                    window.looks().projectorProperty().set(projector);
                    stage.getScene().getRoot().applyCss();
                });
                double ground = luminance(ground(dark));
                for (Node node : stage.getScene().getRoot().lookupAll(".label")) {
                    Label label = node instanceof Label text && !text.getText().isBlank() ? text : new Label();
                    boolean plain = label.getScene() != null && isShown(label) && !onColour(label);
                    if (plain && label.getTextFill() instanceof Color ink) {
                        double ink1 = luminance(ink);
                        double contrast = (Math.max(ink1, ground) + 0.05) / (Math.min(ink1, ground) + 0.05);
                        // WCAG 2.1, success criterion 1.4.3: at least 4.5, for large or bold text 3.
                        assertThat(contrast).as("contrast of “%s”, dark %s", label.getText(), dark).isGreaterThan(3);
                    }
                }
            }
        }
    }

    @Test
    void keysSwitchTheThemeTheProjectorAndTheSizeOfType() {
        openRun();
        double type = font("#title");
        with(KeyCode.D);
        assertThat(stage.getScene().getRoot().getStyleClass()).contains("dark");
        with(KeyCode.D);
        assertThat(stage.getScene().getRoot().getStyleClass()).doesNotContain("dark");
        with(KeyCode.J);
        until("type is larger", () -> font("#title") > type * 1.2);
        with(KeyCode.J);
        // The robot of this platform has no such key.
        robot.interact(() -> javafx.event.Event.fireEvent(
                window.dashboard(), new KeyEvent(KeyEvent.KEY_PRESSED, "", "", KeyCode.EQUALS, false, true, false, false)));
        assertThat(window.looks().projectorProperty().get()).isFalse();
        assertThat(window.looks().sizeProperty().get()).isEqualTo(125);
        robot.interact(() -> stage.getScene().getRoot().applyCss());
        assertThat(font("#title")).isCloseTo(type * 1.25, within(0.1));
        with(KeyCode.DIGIT0);
        robot.interact(() -> stage.getScene().getRoot().applyCss());
        assertThat(font("#title")).isCloseTo(type, within(0.1));
    }

    @Test
    void f1ListsEveryKeyAndEscapePutsTheListAway() {
        openRun();
        robot.type(KeyCode.F6);
        robot.type(KeyCode.F1);
        assertThat(node("#shortcuts").isVisible()).isTrue();
        assertThat(node("#shortcuts-close").isFocused()).isTrue();
        assertThat(node("#shortcuts").lookupAll(".shortcut-keys")).hasSizeGreaterThan(25);
        robot.type(KeyCode.ESCAPE);
        assertThat(node("#shortcuts").isVisible()).isFalse();
        assertThat(tile("loss").isFocused()).isTrue();
    }

    @Test
    void everyControlSaysWhatItIs() {
        openRun();
        with(KeyCode.I);
        for (Node node : stage.getScene().getRoot().lookupAll("*")) {
            if (node.isFocusTraversable() && isShown(node)) {
                boolean said = node.getAccessibleText() != null && !node.getAccessibleText().isBlank()
                        || node instanceof javafx.scene.control.Labeled labeled && !labeled.getText().isBlank();
                assertThat(said).as("name of %s", node).isTrue();
            }
        }
        assertThat(window.dashboard().tiles()).allSatisfy(tile ->
                assertThat(tile.getAccessibleText()).contains(tile.title()).contains("Keel"));
    }

    @Test
    void noTextOfTheBarsIsCutAt1280By800() {
        openRun();
        assertThat(stage.getScene().getWidth()).isEqualTo(1280);
        assertThat(cut(node("#controls"))).isEmpty();
        assertThat(cut(node("#status"))).isEmpty();
        assertThat(cut(node("#scrubber"))).isEmpty();
        robot.type(KeyCode.F1);
        assertThat(cut(node("#shortcuts"))).isEmpty();
    }

    // --- hands and eyes ---------------------------------------------------------------------------------------------

    private void openRun() {
        Path run = RecordedRun.write(
                folder, LAYERS, STEPS, STEPS, RunStatus.FINISHED, "The loss is not a number at step 59, so training cannot go on.");
        robot.interact(() -> window.open(run));
        until("all arms are drawn", () -> window.session().map(session -> session.snapshots().size() == 3).orElse(false)
                && window.dashboard().tiles().stream().allMatch(tile -> tile.summary().contains("Post-LN")));
    }

    private List<ArmSnapshot> arms() {
        return window.session().orElseThrow().snapshots();
    }

    private OptionalInt time() {
        return window.dashboard().time().stepProperty().get();
    }

    private ChartTile tile(String chart) {
        return (ChartTile) node("#chart-" + chart);
    }

    private static Node header(ChartTile tile) {
        return tile.lookup(".tile-title");
    }

    private static Bounds onScreen(Node node) {
        return node.localToScreen(node.getLayoutBounds());
    }

    private static double left(Node node) {
        return node.getBoundsInParent().getMinX();
    }

    private void with(KeyCode key) {
        robot.press(KeyCode.CONTROL).type(key).release(KeyCode.CONTROL);
    }

    private double font(String id) {
        return ((Label) node(id)).getFont().getSize();
    }

    private MenuItem item(String menu, String id) {
        List<MenuItem> all = new ArrayList<>(((MenuButton) node(menu)).getItems());
        for (int i = 0; i < all.size(); i++) {
            if (id.equals(all.get(i).getId())) {
                return all.get(i);
            }
            if (all.get(i) instanceof Menu more) {
                all.addAll(more.getItems());
            }
        }
        throw new AssertionError("There is no " + id + " in the menu.");
    }

    private void choose(CheckMenuItem item, boolean selected) {
        robot.interact(() -> {
            item.setSelected(selected);
            item.getOnAction().handle(new javafx.event.ActionEvent(item, item));
        });
    }

    private static boolean isShown(Node node) {
        for (Node each = node; each != null; each = each.getParent()) {
            if (!each.isVisible()) {
                return false;
            }
        }
        return true;
    }

    /** Labels whose text does not fit their width. */
    private static List<String> cut(Node within) {
        List<String> cut = new ArrayList<>();
        for (Node node : within.lookupAll(".label")) {
            if (node instanceof Label label && isShown(label) && !label.isWrapText()
                    && label.getWidth() + 0.5 < label.prefWidth(-1)
                    && !"subtitle".equals(label.getId())) {
                cut.add(label.getText());
            }
        }
        return cut;
    }

    /** Whether a label lies on something other than the ground: a chosen switch, the default button, a disabled one. */
    private static boolean onColour(Node label) {
        for (Node node = label; node != null; node = node.getParent()) {
            if (node.isDisabled()
                    || node instanceof javafx.scene.control.ButtonBase
                    || node.getStyleClass().contains("hover-card")
                    || node.getStyleClass().contains("curve-name")
                    || node.getStyleClass().contains("mark-name")
                    || node.getStyleClass().contains("note")) {
                return true;
            }
        }
        return false;
    }

    private static Color ground(boolean dark) {
        return dark ? Color.web("#191c20") : Color.WHITE;
    }

    /** Relative luminance (WCAG 2.1). */
    private static double luminance(Color colour) {
        return 0.2126 * linear(colour.getRed()) + 0.7152 * linear(colour.getGreen()) + 0.0722 * linear(colour.getBlue());
    }

    private static double linear(double channel) {
        return channel <= 0.04045 ? channel / 12.92 : Math.pow((channel + 0.055) / 1.055, 2.4);
    }
}
