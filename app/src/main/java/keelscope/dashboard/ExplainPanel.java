package keelscope.dashboard;

import java.util.Optional;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import keelscope.chart.ChartTile;
import keelscope.text.Texts;

/** "What am I looking at": how to read the chart the user turned to, and what each measure in it is. */
public final class ExplainPanel extends VBox {
    private final VBox text = new VBox();
    private final ScrollPane scroll = new ScrollPane(text);

    public ExplainPanel(Dashboard dashboard) {
        setId("explain");
        getStyleClass().add("explain");
        setAccessibleText(Texts.get("explain.title"));
        Label caption = new Label(Texts.get("explain.title"));
        caption.getStyleClass().add("explain-caption");
        text.getStyleClass().add("explain-text");
        scroll.setFitToWidth(true);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.getStyleClass().add("explain-scroll");
        VBox.setVgrow(scroll, Priority.ALWAYS);
        getChildren().addAll(caption, scroll);
        dashboard.attendedProperty().addListener((property, before, now) -> show(now));
        show(dashboard.attendedProperty().get());
    }

    private void show(Optional<ChartTile> tile) {
        text.getChildren().clear();
        scroll.setVvalue(0);
        if (tile.isEmpty()) {
            add("explain-body", Texts.get("explain.none"));
            return;
        }
        ChartTile chart = tile.get();
        add("explain-heading", chart.title()).setId("explain-heading");
        add("explain-label", Texts.get("explain.read"));
        add("explain-body", chart.hint());
        for (ChartTile.Definition definition : chart.definitions()) {
            add("explain-measure", capital(definition.title()));
            add("explain-formula", definition.formula());
            add(
                    "explain-label",
                    definition.unit().isEmpty()
                            ? Texts.get("explain.unit.none")
                            : Texts.get("explain.unit", definition.unit()));
            add("explain-body", definition.explanation());
            if (!definition.source().isEmpty()) {
                add("explain-source", Texts.get("explain.source", definition.source()));
            }
        }
    }

    private static String capital(String title) {
        return title.isEmpty() ? title : title.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + title.substring(1);
    }

    private Label add(String style, String words) {
        Label label = new Label(words);
        label.getStyleClass().add(style);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        text.getChildren().add(label);
        return label;
    }
}
