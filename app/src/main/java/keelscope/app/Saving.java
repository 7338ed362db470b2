package keelscope.app;

import java.awt.image.BufferedImage;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.layout.Region;
import javafx.stage.DirectoryChooser;
import javafx.stage.FileChooser;
import javafx.stage.Stage;
import keelscope.chart.ChartTile;
import keelscope.dashboard.Dashboard;
import keelscope.export.RunExport;
import keelscope.picture.Drawing;
import keelscope.picture.Pictures;
import keelscope.picture.Report;
import keelscope.run.ArmSnapshot;
import keelscope.run.RunNote.Severity;
import keelscope.run.RunSession;
import keelscope.run.RunSummary;
import keelscope.text.Texts;

/** Takes charts and runs out of the window: a menu on every chart, and one for the whole. */
final class Saving {
    private static final String MENU = "keelscope.save-menu";

    private final Stage stage;
    private final Dashboard dashboard;
    private final Supplier<Optional<RunSession>> session;
    private final Jobs jobs;
    private final Jobs.Teller teller;

    /** What a chart is saved as. */
    enum Format {
        PNG,
        SVG,
        PDF,
        CSV;

        String ending() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Saving(Stage stage, Dashboard dashboard, Supplier<Optional<RunSession>> session, Jobs jobs, Jobs.Teller teller) {
        this.stage = stage;
        this.dashboard = dashboard;
        this.session = session;
        this.jobs = jobs;
        this.teller = teller;
        dashboard.arrangementProperty().addListener((property, before, now) -> attach());
        attach();
    }

    private void attach() {
        for (ChartTile tile : dashboard.tiles()) {
            if (tile.getProperties().putIfAbsent(MENU, true) == null) {
                ContextMenu menu = new ContextMenu();
                for (Format format : Format.values()) {
                    MenuItem item = new MenuItem(Texts.get("save." + format.ending()));
                    item.setId("save-" + format.ending());
                    item.setOnAction(event -> askFor(Pictures.fileName(tile), format.ending())
                            .ifPresent(file -> save(tile, format, file)));
                    menu.getItems().add(item);
                }
                tile.setSaveMenu(menu);
            }
        }
    }

    /** The menu for the whole. */
    MenuButton menu() {
        MenuButton menu = new MenuButton(Texts.get("save.menu"));
        menu.setId("save");
        menu.setMinWidth(Region.USE_PREF_SIZE);
        MenuItem report = item("report", () -> askFor("report", "pdf").ifPresent(this::report));
        MenuItem csv = item("run.csv", () -> askForFolder().ifPresent(folder -> run(RunExport.Format.CSV, folder)));
        MenuItem tensorBoard =
                item("run.tensorboard", () -> askForFolder().ifPresent(folder -> run(RunExport.Format.TENSORBOARD, folder)));
        menu.getItems().addAll(report, new SeparatorMenuItem(), csv, tensorBoard);
        return menu;
    }

    private MenuItem item(String key, Runnable action) {
        MenuItem item = new MenuItem(Texts.get("save." + key));
        item.setId("save-" + key.replace('.', '-'));
        item.setOnAction(event -> {
            if (session.get().map(run -> run.snapshots().isEmpty()).orElse(true)) {
                teller.tell(Severity.WARNING, Texts.get("save.nothing"));
            } else {
                action.run();
            }
        });
        return item;
    }

    private Optional<Path> askFor(String name, String ending) {
        FileChooser chooser = new FileChooser();
        chooser.setTitle(Texts.get("save.title"));
        chooser.setInitialFileName(name + "." + ending);
        chooser.getExtensionFilters().add(new FileChooser.ExtensionFilter(ending.toUpperCase(Locale.ROOT), "*." + ending));
        File chosen = chooser.showSaveDialog(stage);
        return Optional.ofNullable(chosen).map(File::toPath);
    }

    private Optional<Path> askForFolder() {
        DirectoryChooser chooser = new DirectoryChooser();
        chooser.setTitle(Texts.get("save.folder"));
        return Optional.ofNullable(chooser.showDialog(stage)).map(File::toPath);
    }

    /** Takes the picture now, writes it behind the window. */
    void save(ChartTile tile, Format format, Path file) {
        String title = Texts.get("task.report", file.getFileName());
        switch (format) {
            case PNG -> {
                BufferedImage image = Pictures.image(tile);
                work(title, file, () -> Pictures.png(image, file));
            }
            case SVG -> {
                Drawing drawing = Pictures.of(tile);
                work(title, file, () -> Pictures.svg(drawing, file));
            }
            case PDF -> {
                Drawing drawing = Pictures.of(tile);
                work(title, file, () -> Pictures.pdf(drawing, file));
            }
            case CSV -> {
                String data = tile.csv();
                work(title, file, () -> Pictures.csv(data, file));
            }
        }
    }

    private void work(String title, Path file, Runnable writing) {
        jobs.run(title, progress -> {
            writing.run();
            return file;
        }, this::done);
    }

    private void done(Path written) {
        teller.tell(Severity.INFORMATION, Texts.get("save.done", written));
    }

    /** Everything on screen as a PDF. */
    void report(Path file) {
        session.get().ifPresent(run -> {
            Report report = report(dashboard, run);
            jobs.run(Texts.get("task.report", file.getFileName()), progress -> {
                report.write(file, progress);
                return file;
            }, this::done);
        });
    }

    /** The report of a run whose charts are laid out in {@code dashboard}; on the JavaFX thread. */
    static Report report(Dashboard dashboard, RunSession run) {
        List<ArmSnapshot> arms = run.snapshots();
        String name = run.compares() || arms.isEmpty() ? run.title() : arms.get(0).info().experimentName();
        StringBuilder text = new StringBuilder(RunSummary.of(run.armsProperty().get()));
        arms.stream().map(arm -> arm.info().experimentYaml()).filter(yaml -> !yaml.isEmpty()).distinct()
                .forEach(yaml -> text.append('\n').append(yaml));
        List<Drawing> pictures = new ArrayList<>();
        pictures.add(Pictures.of(dashboard, name, dashboard.tiles()));
        for (ChartTile tile : dashboard.tiles()) {
            if (tile.isVisible() && tile.getWidth() > 0) {
                pictures.add(Pictures.of(tile));
            }
        }
        return new Report(name, text.toString(), pictures);
    }

    /** The run files on screen into a folder. */
    void run(RunExport.Format format, Path folder) {
        session.get().ifPresent(run -> {
            List<Path> files = run.armsProperty().get().stream()
                    .flatMap(arm -> arm.snapshot().stream())
                    .map(ArmSnapshot::file)
                    .toList();
            jobs.run(Texts.get("task.report", folder.getFileName()), progress -> {
                RunExport.write(files, format, folder, progress);
                return folder;
            }, this::done);
        });
    }
}
