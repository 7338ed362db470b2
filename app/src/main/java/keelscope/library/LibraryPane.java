package keelscope.library;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.ListChangeListener;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.Label;
import javafx.scene.control.SelectionMode;
import javafx.scene.control.TextArea;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.control.TreeItem;
import javafx.scene.control.TreeTableCell;
import javafx.scene.control.TreeTableColumn;
import javafx.scene.control.TreeTableView;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import javafx.util.StringConverter;
import keelscope.experiment.Experiment;
import keelscope.experiment.InvalidExperimentException;
import keelscope.text.Texts;
import org.controlsfx.control.textfield.CustomTextField;
import org.controlsfx.control.textfield.TextFields;

/** The table of all runs: searched, sorted, written about, opened, compared, put in the trash. Arms are rows below their run. */
public final class LibraryPane extends BorderPane {

    /** What the window does for the library. */
    public interface Host {
        /** Shows a run file or a folder of them. */
        void open(Path place);

        /** Shows arms of any runs together. */
        void compare(Comparison comparison);

        /** Puts an experiment into the set-up. */
        void load(Experiment experiment);

        /** Tells the user, in one sentence, what cannot be done. */
        void problem(String sentence);
    }

    private final Host host;
    private final LibraryWatch watch;
    private final CustomTextField search = (CustomTextField) TextFields.createClearableTextField();
    private final Label found = new Label();
    private final ChoiceBox<Grouping> grouping = new ChoiceBox<>();
    private final TreeTableView<LibraryRow> table = new TreeTableView<>(new TreeItem<>());
    private final Button open = button("show");
    private final Button duplicate = button("duplicate");
    private final Button rename = button("rename");
    private final Button delete = button("delete");
    private final Button undo = button("undo");
    private final TextField name = new TextField();
    private final TextField tags = new TextField();
    private final TextArea notes = new TextArea();
    private final VBox details = new VBox();
    private final Deque<RunLibrary.Removed> removed = new ArrayDeque<>();
    private Map<Path, Listed> listed = Map.of();
    private Optional<LibraryRun> written = Optional.empty();
    private boolean filling;

    /**
     * A run that can be shown in the table.
     *
     * @param searched what words are looked for in
     * @param item its row, with the rows of its arms
     */
    private record Listed(LibraryRun run, String searched, TreeItem<LibraryRow> item) {
        static Listed of(LibraryRun run, boolean expanded) {
            TreeItem<LibraryRow> item = new TreeItem<>(new LibraryRow(run, Optional.empty()));
            if (run.arms().size() > 1) {
                run.arms().forEach(arm -> item.getChildren().add(new TreeItem<>(new LibraryRow(run, Optional.of(arm)))));
            }
            item.setExpanded(expanded);
            return new Listed(run, run.searched(), item);
        }
    }

    /** @param home the runs folder */
    public LibraryPane(Path home, Host host) {
        this.host = host;
        this.watch = new LibraryWatch(home, this::show, host::problem);
        setId("library");
        getStyleClass().add("library");
        setTop(top());
        setCenter(table());
        setRight(details());
        setBottom(buttons());
        addEventFilter(KeyEvent.KEY_PRESSED, this::keyPressed);
        selected();
    }

    /** Whether somebody looks at it: only then is the disk looked at. */
    public void watched(boolean on) {
        watch.watched(on);
        if (on) {
            search.requestFocus();
        }
    }

    /** Keeps in mind what was opened, so that it is found again. */
    public void remember(Path place) {
        watch.ask(library -> library.remember(place));
    }

    // --- parts ------------------------------------------------------------------------------------------------------

    private Node top() {
        search.setId("library-search");
        search.setPromptText(Texts.get("library.search"));
        search.setAccessibleText(Texts.get("library.search"));
        search.textProperty().addListener((property, before, now) -> fill());
        HBox.setHgrow(search, Priority.ALWAYS);
        found.setId("library-found");
        found.setMinWidth(Region.USE_PREF_SIZE);
        Label by = new Label(Texts.get("library.group"));
        by.setMinWidth(Region.USE_PREF_SIZE);
        by.setLabelFor(grouping);
        grouping.setId("library-group");
        grouping.getItems().setAll(Grouping.values());
        grouping.setValue(Grouping.NONE);
        grouping.setTooltip(new Tooltip(Texts.get("library.group.help")));
        grouping.setAccessibleText(Texts.get("library.group"));
        grouping.setConverter(new StringConverter<>() {
            @Override
            public String toString(Grouping value) {
                return value == null ? "" : value.title();
            }

            @Override
            public Grouping fromString(String text) {
                throw new UnsupportedOperationException("Groupings are only chosen, never typed.");
            }
        });
        HBox top = new HBox(search, found, by, grouping);
        top.getStyleClass().add("library-bar");
        return top;
    }

    private Node table() {
        table.setId("library-table");
        table.setShowRoot(false);
        table.setAccessibleText(Texts.get("library"));
        table.setPlaceholder(new Label(Texts.get("library.none")));
        table.getSelectionModel().setSelectionMode(SelectionMode.MULTIPLE);
        table.getSelectionModel().getSelectedItems().addListener((ListChangeListener<Object>) change -> selected());
        table.getColumns().add(star());
        text("name", 165, LibraryRow::name);
        text("schemes", 145, LibraryRow::schemes);
        number("layers", 45, row -> (double) row.run().layers(), value -> value == 0 ? "" : Integer.toString(value.intValue()));
        number("width", 55, row -> (double) row.run().width(), value -> value == 0 ? "" : Integer.toString(value.intValue()));
        text("data", 105, row -> row.arm().isPresent() ? "" : row.run().data());
        number("peak", 75, LibraryRow::peakRate, LibraryTexts::number);
        number("loss", 80, LibraryRow::loss, LibraryTexts::loss);
        text("state", 105, LibraryRow::state);
        TreeTableColumn<LibraryRow, Double> date =
                number("date", 130, row -> (double) row.run().createdMs(), value -> LibraryTexts.date(value.longValue()));
        text("tags", 90, row -> row.arm().isPresent() ? "" : String.join(", ", row.run().label().tags()));
        text("notes", 130, row -> row.arm().isPresent() ? "" : row.run().label().notes().replaceAll("\\s+", " "));
        date.setSortType(TreeTableColumn.SortType.DESCENDING);
        table.getSortOrder().add(date);
        table.setOnMouseClicked(event -> {
            if (event.getButton() == MouseButton.PRIMARY && event.getClickCount() == 2 && !rows().isEmpty()) {
                open();
            }
        });
        return table;
    }

    private TreeTableColumn<LibraryRow, Boolean> star() {
        TreeTableColumn<LibraryRow, Boolean> column = new TreeTableColumn<>(Texts.get("library.column.star"));
        column.setId("library-column-star");
        column.setPrefWidth(44);
        column.setCellValueFactory(cell -> new ReadOnlyObjectWrapper<>(cell.getValue().getValue().run().label().star()));
        column.setCellFactory(made -> new TreeTableCell<>() {
            {
                setTooltip(new Tooltip(Texts.get("library.column.star.help")));
                setOnMouseClicked(event -> {
                    LibraryRow row = getTableRow() == null ? null : getTableRow().getItem();
                    if (row != null && row.arm().isEmpty() && event.getClickCount() == 1) {
                        label(row.run(), row.run().label().withStar(!row.run().label().star()));
                    }
                });
            }

            @Override
            protected void updateItem(Boolean star, boolean empty) {
                super.updateItem(star, empty);
                LibraryRow row = empty || getTableRow() == null ? null : getTableRow().getItem();
                setText(row == null || row.arm().isPresent() ? "" : star ? "★" : "☆");
            }
        });
        return column;
    }

    private void text(String key, double width, Function<LibraryRow, String> value) {
        TreeTableColumn<LibraryRow, String> column = column(key, width, value);
        column.setComparator(String.CASE_INSENSITIVE_ORDER);
    }

    private TreeTableColumn<LibraryRow, Double> number(
            String key, double width, Function<LibraryRow, Double> value, Function<Double, String> written) {
        TreeTableColumn<LibraryRow, Double> column = column(key, width, value);
        column.setComparator(Comparator.naturalOrder());
        column.getStyleClass().add("number");
        column.setCellFactory(made -> new TreeTableCell<>() {
            @Override
            protected void updateItem(Double number, boolean empty) {
                super.updateItem(number, empty);
                setText(empty || number == null ? "" : written.apply(number));
            }
        });
        return column;
    }

    private <T> TreeTableColumn<LibraryRow, T> column(String key, double width, Function<LibraryRow, T> value) {
        TreeTableColumn<LibraryRow, T> column = new TreeTableColumn<>(Texts.get("library.column." + key));
        column.setId("library-column-" + key);
        column.setPrefWidth(width);
        column.setCellValueFactory(cell -> new ReadOnlyObjectWrapper<>(value.apply(cell.getValue().getValue())));
        table.getColumns().add(column);
        return column;
    }

    private Node details() {
        name.setId("library-name");
        tags.setId("library-tags");
        notes.setId("library-notes");
        notes.setWrapText(true);
        VBox.setVgrow(notes, Priority.ALWAYS);
        details.getStyleClass().add("library-details");
        details.getChildren().addAll(
                heading("name", name), name, heading("tags", tags), tags, heading("notes", notes), notes);
        name.setOnAction(event -> write());
        tags.setOnAction(event -> write());
        for (Node field : List.of(name, tags, notes)) {
            field.focusedProperty().addListener((property, before, now) -> {
                if (!now) {
                    write();
                }
            });
        }
        return details;
    }

    private static Label heading(String key, Node field) {
        Label heading = new Label(Texts.get("library.notes." + key));
        heading.setLabelFor(field);
        return heading;
    }

    private Node buttons() {
        open.setOnAction(event -> open());
        open.setDefaultButton(false);
        open.getStyleClass().add("primary");
        duplicate.setOnAction(event -> duplicate());
        rename.setOnAction(event -> rename());
        delete.setOnAction(event -> delete());
        undo.setOnAction(event -> undo());
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox bar = new HBox(open, duplicate, rename, space, delete, undo);
        bar.getStyleClass().add("library-bar");
        return bar;
    }

    private static Button button(String key) {
        Button button = new Button(Texts.get("library." + key));
        button.setId("library-" + key);
        button.setMnemonicParsing(true);
        button.setTooltip(new Tooltip(Texts.get("library." + key + ".help")));
        return button;
    }

    private void keyPressed(KeyEvent event) {
        boolean inTable = table.isFocused();
        if (event.getCode() == KeyCode.Z && event.isShortcutDown() && inTable) {
            undo();
        } else if (event.getCode() == KeyCode.F2) {
            rename();
        } else if (event.getCode() == KeyCode.DELETE && inTable) {
            delete();
        } else if (event.getCode() == KeyCode.ENTER && inTable) {
            open();
        } else if (event.getCode() == KeyCode.DOWN && search.isFocused()) {
            table.requestFocus();
            if (rows().isEmpty()) {
                table.getSelectionModel().selectFirst();
            }
        } else {
            return;
        }
        event.consume();
    }

    // --- the table's content ----------------------------------------------------------------------------------------

    private void show(List<LibraryRun> now) {
        Map<Path, Listed> next = new LinkedHashMap<>();
        for (LibraryRun run : now) {
            Listed known = listed.get(run.place());
            boolean same = known != null && known.run().equals(run);
            next.put(run.place(), same ? known : Listed.of(run, known != null && known.item().isExpanded()));
        }
        listed = next;
        fill();
    }

    private void fill() {
        String words = search.getText();
        List<TreeItem<LibraryRow>> items = listed.values().stream()
                .filter(run -> words.isBlank() || LibraryRun.matches(run.searched(), words))
                .map(Listed::item)
                .toList();
        // Rows that stay need neither be made again nor sorted.
        if (!new HashSet<>(table.getRoot().getChildren()).equals(new HashSet<>(items))) {
            replace(items);
        }
        found.setText(items.size() == listed.size()
                ? Texts.get("library.found", listed.size())
                : Texts.get("library.found.of", items.size(), listed.size()));
        selected();
    }

    private void replace(List<TreeItem<LibraryRow>> items) {
        Set<Path> chosen = new HashSet<>(rows().stream().map(LibraryRow::place).toList());
        filling = true;
        table.getSelectionModel().clearSelection();
        table.getRoot().getChildren().setAll(items);
        table.sort();
        if (!chosen.isEmpty()) {
            for (TreeItem<LibraryRow> item : table.getRoot().getChildren()) {
                select(item, chosen);
                item.getChildren().forEach(arm -> select(arm, chosen));
            }
        }
        filling = false;
    }

    private void select(TreeItem<LibraryRow> item, Set<Path> chosen) {
        if (chosen.contains(item.getValue().place())) {
            table.getSelectionModel().select(item);
        }
    }

    private List<LibraryRow> rows() {
        return table.getSelectionModel().getSelectedItems().stream()
                .filter(item -> item != null && item.getValue() != null)
                .map(TreeItem::getValue)
                .toList();
    }

    /** The run that is chosen, alone or by an arm of it. */
    private Optional<LibraryRun> one() {
        List<LibraryRun> chosen = rows().stream().map(LibraryRow::run).distinct().toList();
        return chosen.size() == 1 ? Optional.of(chosen.get(0)) : Optional.empty();
    }

    private void selected() {
        if (filling) {
            return;
        }
        List<LibraryRow> rows = rows();
        Optional<LibraryRun> one = one();
        boolean several = rows.size() > 1 || grouping.getValue() != Grouping.NONE && !rows.isEmpty();
        open.setText(several
                ? Texts.get("library.compare", Comparison.of(rows, Grouping.NONE).arms().size())
                : Texts.get("library.show"));
        open.setDisable(rows.isEmpty());
        duplicate.setDisable(one.isEmpty());
        rename.setDisable(one.isEmpty());
        delete.setDisable(rows.isEmpty());
        undo.setDisable(removed.isEmpty());
        details.setDisable(one.isEmpty());
        boolean typing = name.isFocused() || tags.isFocused() || notes.isFocused();
        boolean other = !one.map(LibraryRun::place).equals(written.map(LibraryRun::place));
        if (other || !typing) {
            written = one;
            name.setText(one.map(LibraryRun::name).orElse(""));
            tags.setText(one.map(run -> String.join(", ", run.label().tags())).orElse(""));
            notes.setText(one.map(run -> run.label().notes()).orElse(""));
        }
    }

    // --- what is done with runs -------------------------------------------------------------------------------------

    private void open() {
        List<LibraryRow> rows = rows();
        if (rows.size() == 1 && grouping.getValue() == Grouping.NONE) {
            host.open(rows.get(0).place());
        } else if (!rows.isEmpty()) {
            host.compare(Comparison.of(rows, grouping.getValue()));
        }
    }

    private void duplicate() {
        one().ifPresent(run -> {
            RunHead arm = run.arms().get(0);
            try {
                host.load(KeptExperiment.of(arm.info(), arm.file(), run.name()).withName(Texts.get("library.duplicate.name", run.name())));
            } catch (InvalidExperimentException e) {
                host.problem(e.getMessage());
            }
        });
    }

    private void rename() {
        if (one().isPresent()) {
            name.requestFocus();
            name.selectAll();
        }
    }

    /** Keeps what was typed about the run. */
    private void write() {
        written.ifPresent(run -> {
            String own = run.arms().get(0).info().experimentName();
            RunLabel now = run.label()
                    .withName(name.getText().strip().equals(own) ? "" : name.getText())
                    .withTags(tags.getText())
                    .withNotes(notes.getText());
            if (!now.equals(run.label())) {
                written = Optional.of(new LibraryRun(run.place(), run.home(), now, run.arms()));
                label(run, now);
            }
        });
    }

    private void label(LibraryRun run, RunLabel label) {
        watch.ask(library -> library.label(run, label));
    }

    private void delete() {
        List<LibraryRun> chosen = rows().stream().map(LibraryRow::run).distinct().toList();
        written = Optional.empty();
        for (LibraryRun run : chosen) {
            watch.ask(library -> {
                RunLibrary.Removed gone = library.remove(run);
                javafx.application.Platform.runLater(() -> {
                    removed.push(gone);
                    selected();
                });
            });
        }
    }

    private void undo() {
        if (!removed.isEmpty()) {
            RunLibrary.Removed last = removed.pop();
            watch.ask(library -> last.undo());
            selected();
        }
    }
}
