package keelscope.app;

import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import keelscope.dashboard.Dashboard;
import keelscope.dashboard.ExplainPanel;
import keelscope.dashboard.Scrubber;
import java.util.List;
import keelscope.run.ArmSnapshot;

/** The middle of the window: messages, charts, the line of time below them, and explanations beside them. */
final class Workbench extends BorderPane {
    private final Scrubber scrubber;
    private final BooleanProperty explains = new SimpleBooleanProperty(this, "explains");

    Workbench(NoteStrip notes, Dashboard dashboard) {
        getStyleClass().add("middle");
        scrubber = new Scrubber(dashboard.time());
        ExplainPanel explain = new ExplainPanel(dashboard);
        explain.visibleProperty().bind(explains);
        explain.managedProperty().bind(explains);
        scrubber.visibleProperty().bind(dashboard.time().lastProperty().greaterThanOrEqualTo(0));
        scrubber.managedProperty().bind(scrubber.visibleProperty());
        VBox charts = new VBox(notes, dashboard);
        charts.setMinWidth(0);
        VBox.setVgrow(dashboard, Priority.ALWAYS);
        setCenter(charts);
        setRight(explain);
        setBottom(scrubber);
    }

    /** Whether explanations are shown. */
    BooleanProperty explainsProperty() {
        return explains;
    }

    /** Shows the steps and events of these arms on the line of time. */
    void show(List<ArmSnapshot> arms) {
        scrubber.show(arms);
    }
}
