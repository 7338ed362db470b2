package keelscope;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The boundaries between engine and window, and between the parts of the window. */
class ArchitectureTest {
    private static final String APP = "keelscope.app..";
    private static final String SETUP = "keelscope.setup..";
    private static final String DASHBOARD = "keelscope.dashboard..";
    private static final String CHART = "keelscope.chart..";
    private static final String RUN = "keelscope.run..";
    private static final String TEXT = "keelscope.text..";
    private static final String LIBRARY = "keelscope.library..";
    private static final String PICTURE = "keelscope.picture..";
    private static final String[] WINDOW = {APP, SETUP, DASHBOARD, CHART, RUN, TEXT, LIBRARY, PICTURE};

    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("keelscope");
        assertThat(classes.contain("keelscope.app.MainWindow")).isTrue();
        assertThat(classes.contain("keelscope.cli.EngineCommand")).isTrue();
    }

    @Test
    void theWindowKnowsNothingOfDjl() {
        mayNotUse(WINDOW, "ai.djl..");
    }

    @Test
    void theEngineKnowsNothingOfTheWindowAndItsLibraries() {
        String[] unwanted = {"javafx..", "io.fair_acc..", "org.controlsfx..", APP, SETUP, DASHBOARD, CHART, RUN, TEXT};
        noClasses()
                .that()
                .resideOutsideOfPackages(WINDOW)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(unwanted)
                .check(classes);
    }

    @Test
    void chartsKnowOnlyWhatARunHolds() {
        mayNotUse(new String[] {CHART}, APP, SETUP, DASHBOARD);
    }

    @Test
    void runsKnowNothingOfHowTheyAreShown() {
        mayNotUse(new String[] {RUN}, APP, SETUP, DASHBOARD, CHART, "javafx.scene..");
    }

    @Test
    void theSetUpKnowsNothingOfRunsAndCharts() {
        mayNotUse(new String[] {SETUP}, APP, RUN, DASHBOARD, CHART);
    }

    @Test
    void theDashboardKnowsNothingOfTheSetUp() {
        mayNotUse(new String[] {DASHBOARD}, APP, SETUP);
    }

    @Test
    void textsKnowNobody() {
        mayNotUse(new String[] {TEXT}, APP, SETUP, DASHBOARD, CHART, RUN, "javafx..");
    }

    @Test
    void onlyChartsDrawWithChartFx() {
        mayNotUse(new String[] {APP, SETUP, DASHBOARD, RUN, TEXT}, "io.fair_acc..");
    }

    private static void mayNotUse(String[] users, String... used) {
        noClasses().that().resideInAnyPackage(users).should().dependOnClassesThat().resideInAnyPackage(used).check(classes);
    }
}
