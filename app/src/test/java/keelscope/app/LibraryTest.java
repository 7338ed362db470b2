package keelscope.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.control.TreeTableView;
import keelscope.library.Grouping;
import keelscope.run.Arm;
import keelscope.run.ArmSnapshot;
import keelscope.run.RecordedRun;
import keelscope.runfile.RunStatus;
import keelscope.text.ArmStyle;
import org.apache.pdfbox.Loader;
import org.junit.jupiter.api.Test;

/** The library and what is taken out, through the window. */
class LibraryTest extends WindowTest {
    private Path recorded(int steps) {
        return RecordedRun.write(folder.resolve("runs"), 8, 60, steps, RunStatus.FINISHED, "");
    }

    private void library() {
        robot.interact(() -> window.library().show());
    }

    private Node at(String id) {
        return window.library().pane().lookup(id);
    }

    private TreeTableView<?> table() {
        return (TreeTableView<?>) at("#library-table");
    }

    private int rows() {
        return table().getRoot().getChildren().size();
    }

    private void press(Button button) {
        robot.interact(button::fire);
    }

    private Button button(String name) {
        return (Button) at("#library-" + name);
    }

    private List<Arm> arms() {
        return window.session().orElseThrow().armsProperty().get();
    }

    @Test
    void aRunIsFoundSearchedOpenedDeletedAndBroughtBack() {
        Path first = recorded(60);
        library();
        until("the run is listed", () -> rows() == 1);
        recorded(20);
        until("the run that appeared is listed", () -> rows() == 2);
        robot.interact(() -> ((TextField) at("#library-search")).setText("wide"));
        assertThat(rows()).isZero();
        assertThat(((Label) at("#library-found")).getText()).isEqualTo("0 of 2 runs");
        robot.interact(() -> ((TextField) at("#library-search")).setText("post-ln formulas"));
        until("both are found, as soon as their last arm is written", () -> rows() == 2);

        robot.interact(() -> {
            table().getSelectionModel().clearSelection();
            table().getSelectionModel().select(0);
        });
        press(button("show"));
        until("its arms are shown", () -> window.session().isPresent() && window.session().get().snapshots().size() == 3);

        press(button("delete"));
        until("it is gone", () -> rows() == 1 && !button("undo").isDisabled());
        press(button("undo"));
        until("it is back", () -> rows() == 2);
        assertThat(first).exists();
    }

    @Test
    void armsOfTwoRunsAreComparedByNamesThatDifferAndGroupedWithTheirMean() {
        recorded(60);
        recorded(20);
        library();
        until("both runs are listed", () -> rows() == 2);
        robot.interact(() -> table().getSelectionModel().selectAll());
        assertThat(button("show").getText()).contains("6 arms");
        press(button("show"));
        until("six arms are shown", () -> window.session().isPresent() && window.session().get().snapshots().size() == 6);
        assertThat(arms().stream().map(Arm::name).distinct()).hasSize(6);
        assertThat(arms()).extracting(Arm::name).anyMatch(name -> name.equals("Keel · Recorded from formulas"));
        assertThat(textOf("#title")).isEqualTo("Comparison of 6 arms");

        robot.interact(() -> {
            @SuppressWarnings("unchecked")
            ChoiceBox<Grouping> grouping = (ChoiceBox<Grouping>) at("#library-group");
            grouping.setValue(Grouping.SCHEME);
        });
        press(button("show"));
        until("three means are shown", () -> window.session().get().snapshots().size() == 3);
        assertThat(window.session().get().snapshots()).extracting(arm -> arm.info().arm())
                .containsExactlyInAnyOrder("Keel (n = 2)", "Pre-LN (n = 2)", "Post-LN (n = 2)");
        assertThat(window.session().get().snapshots()).allMatch(arm -> arm.lastStep() == 19);
        until("the charts name them", () -> window.dashboard().tiles().get(0).summary().contains("Keel (n = 2)"));
    }

    @Test
    void theBarAtTheBottomShowsEachArmInTheColourOfTheGroupThatTheChartsDraw() {
        recorded(60);
        recorded(60);
        library();
        until("both runs are listed", () -> rows() == 2);
        robot.interact(() -> {
            table().getSelectionModel().selectAll();
            @SuppressWarnings("unchecked")
            ChoiceBox<Grouping> grouping = (ChoiceBox<Grouping>) at("#library-group");
            grouping.setValue(Grouping.SCHEME);
        });
        press(button("show"));
        until("three means are shown", () -> window.session().isPresent() && window.session().get().snapshots().size() == 3);
        assertThat(arms()).hasSize(6);
        for (int place = 0; place < 6; place++) {
            Arm arm = arms().get(place);
            ArmSnapshot group = window.session().get().snapshots().stream()
                    .filter(mean -> mean.info().scheme().equals(arm.snapshot().orElseThrow().info().scheme()))
                    .findFirst()
                    .orElseThrow();
            Node swatch = node("#arm-" + place).lookup(".arm-swatch");
            assertThat(swatch.getStyleClass()).as(arm.title()).contains(ArmStyle.of(group.colour()));
        }
    }

    @Test
    void notesAreKeptAndARunIsDuplicatedIntoTheSetUp() {
        recorded(20);
        library();
        until("the run is listed", () -> rows() == 1);
        robot.interact(() -> {
            table().getSelectionModel().select(0);
            TextField name = (TextField) at("#library-name");
            name.requestFocus();
            name.setText("Keeper");
            name.getOnAction().handle(null);
        });
        until("the name is kept", () -> table().getRoot().getChildren().get(0).getValue().toString().contains("name=Keeper"));
        press(button("duplicate"));
        until("the set-up has it", () -> textOf("#field-name").equals("Keeper (copy)"));
        assertThat(textOf("#field-layers")).isEqualTo("8");
    }

    @Test
    void aLogOfAnotherProgramIsOpenedAsARunAndFoundInTheLibrary() throws IOException {
        Path log = Files.writeString(folder.resolve("their-run.csv"), "step,train_loss\n0,3\n1,2\n2,1.5\n");
        robot.interact(() -> window.open(log));
        until("its steps are shown", () -> window.session().isPresent() && window.session().get().snapshots().stream()
                .anyMatch(arm -> arm.lastStep() == 2));
        library();
        until("it is listed", () -> rows() == 1);
    }

    @Test
    void aLogWithoutALossIsRefusedAndNothingIsLeft() throws IOException {
        Path log = Files.writeString(folder.resolve("temperatures.csv"), "day,degrees\n0,3\n1,2\n");
        robot.interact(() -> window.open(log));
        until("nothing goes on any more", () -> window.jobs().tasks().isEmpty());
        assertThat(window.session()).isEmpty();
        try (Stream<Path> made = Files.walk(folder.resolve("runs"))) {
            assertThat(made.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void aChartAndAReportAreSavedFromTheWindow() throws Exception {
        Path run = recorded(60);
        robot.interact(() -> window.open(run));
        until("the arms are shown", () -> window.session().map(session -> session.snapshots().size() == 3).orElse(false));
        for (Saving.Format format : Saving.Format.values()) {
            Path file = folder.resolve("loss." + format.ending());
            robot.interact(() -> window.saving().save(window.dashboard().tiles().get(0), format, file));
            until(format + " is written", () -> Files.exists(file));
        }
        Path report = folder.resolve("report.pdf");
        robot.interact(() -> window.saving().report(report));
        until("the report is written", () -> Files.exists(report));
        try (var pdf = Loader.loadPDF(report.toFile())) {
            String text = new org.apache.pdfbox.text.PDFTextStripper().getText(pdf);
            assertThat(text).contains("Recorded from formulas", "peak_lr", "Pre-LN: finished");
            assertThat(pdf.getNumberOfPages()).isGreaterThanOrEqualTo(2 + window.dashboard().tiles().size());
        }
    }
}
