package keelscope.chart;

import java.util.ArrayList;
import java.util.List;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** The small card beside the mouse that says which values lie there. */
final class HoverCard extends VBox {

    /**
     * One line of the card.
     *
     * @param styleClass style of the arm it is about
     * @param text name, value and unit
     * @param nearest whether it is the arm nearest to the mouse
     * @param dotX where the value lies in the plot, NaN for nowhere
     * @param dotY the same
     */
    record Row(String styleClass, String text, boolean nearest, double dotX, double dotY) {}

    /**
     * @param x the step or layer it is about, in data units
     * @param heading that step or layer in words
     * @param rows one an arm
     */
    record Content(double x, String heading, List<Row> rows) {}

    private final Label heading = new Label();
    private final List<HBox> lines = new ArrayList<>();

    HoverCard() {
        getStyleClass().add("hover-card");
        heading.getStyleClass().add("hover-heading");
        getChildren().add(heading);
    }

    void show(Content content) {
        heading.setText(content.heading());
        while (lines.size() < content.rows().size()) {
            Region swatch = new Region();
            HBox line = new HBox(swatch, new Label());
            line.getStyleClass().add("hover-row");
            lines.add(line);
        }
        if (getChildren().size() != content.rows().size() + 1) {
            getChildren().setAll(heading);
            getChildren().addAll(lines.subList(0, content.rows().size()));
        }
        for (int i = 0; i < content.rows().size(); i++) {
            Row row = content.rows().get(i);
            StyleClasses.set(lines.get(i).getChildren().get(0), "hover-swatch", row.styleClass());
            Label label = (Label) lines.get(i).getChildren().get(1);
            label.setText(row.text());
            StyleClasses.set(label, row.nearest() ? new String[] {"label", "nearest"} : new String[] {"label"});
        }
    }

    /** The card as one line of text. */
    String text() {
        StringBuilder text = new StringBuilder(heading.getText());
        for (int i = 1; i < getChildren().size(); i++) {
            text.append("; ").append(((Label) ((HBox) getChildren().get(i)).getChildren().get(1)).getText());
        }
        return text.toString();
    }
}
