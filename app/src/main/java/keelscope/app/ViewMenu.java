package keelscope.app;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import javafx.beans.property.BooleanProperty;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Region;
import keelscope.chart.AxisRange;
import keelscope.chart.ChartCatalog;
import keelscope.chart.ChartKind;
import keelscope.dashboard.Dashboard;
import keelscope.dashboard.Preset;
import keelscope.text.Texts;

/** What is shown and how it looks: presets, every chart by group, theme, projector, size of type, explanations, keys. */
final class ViewMenu extends MenuButton {
    private final Map<String, CheckMenuItem> charts = new LinkedHashMap<>();
    final CheckMenuItem dark = check("dark");
    final CheckMenuItem projector = check("projector");
    final CheckMenuItem explain = check("explain");
    final MenuItem shortcuts = new MenuItem(Texts.get("view.shortcuts"));

    ViewMenu(Dashboard dashboard, Looks looks, BooleanProperty explains) {
        super(Texts.get("view"));
        setId("view");
        setMnemonicParsing(true);
        setMinWidth(Region.USE_PREF_SIZE);
        setTooltip(new Tooltip(Texts.get("view.help")));
        for (Preset preset : Preset.values()) {
            MenuItem item = new MenuItem(preset.title());
            item.setId("preset-" + preset.name().toLowerCase(Locale.ROOT));
            item.setOnAction(event -> {
                dashboard.restore();
                dashboard.arrange(preset.arrangement());
            });
            getItems().add(item);
        }
        getItems().add(new SeparatorMenuItem());
        Map<String, Menu> groups = new LinkedHashMap<>();
        for (ChartKind kind : ChartCatalog.all()) {
            CheckMenuItem item = new CheckMenuItem(kind.title());
            item.setId("show-" + kind.id());
            item.setOnAction(event -> dashboard.show(kind.id(), item.isSelected()));
            charts.put(kind.id(), item);
            groups.computeIfAbsent(kind.group(), Menu::new).getItems().add(item);
        }
        getItems().addAll(groups.values());
        getItems().add(new SeparatorMenuItem());
        dark.selectedProperty().bindBidirectional(looks.darkProperty());
        projector.selectedProperty().bindBidirectional(looks.projectorProperty());
        explain.selectedProperty().bindBidirectional(explains);
        shortcuts.setId("view-shortcuts");
        getItems().addAll(axes(dashboard), new SeparatorMenuItem(), dark, projector, sizes(looks), new SeparatorMenuItem(), explain, shortcuts);
        dashboard.arrangementProperty().addListener((property, before, now) -> tick(dashboard));
        tick(dashboard);
    }

    private void tick(Dashboard dashboard) {
        charts.forEach((chart, item) -> item.setSelected(dashboard.arrangementProperty().get().shows(chart)));
    }

    private static Menu axes(Dashboard dashboard) {
        Menu axes = new Menu(Texts.get("view.axes"));
        for (AxisRange range : AxisRange.values()) {
            String name = range.name().toLowerCase(Locale.ROOT);
            MenuItem item = new MenuItem(Texts.get("axes." + name));
            item.setId("axes-" + name);
            item.setOnAction(event -> dashboard.range(range));
            axes.getItems().add(item);
        }
        return axes;
    }

    private static Menu sizes(Looks looks) {
        Menu sizes = new Menu(Texts.get("view.size"));
        ToggleGroup one = new ToggleGroup();
        for (int size : Looks.SIZES) {
            RadioMenuItem item = new RadioMenuItem(Texts.get("view.size.value", size));
            item.setToggleGroup(one);
            item.setOnAction(event -> looks.sizeProperty().set(size));
            item.setSelected(looks.sizeProperty().get() == size);
            looks.sizeProperty().addListener((property, before, now) -> item.setSelected(now.intValue() == size));
            sizes.getItems().add(item);
        }
        return sizes;
    }

    private static CheckMenuItem check(String name) {
        CheckMenuItem item = new CheckMenuItem(Texts.get("view." + name));
        item.setId("view-" + name);
        return item;
    }
}
