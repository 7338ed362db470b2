package keelscope;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The boundaries between engine and window, and between the parts of the window. */
@AnalyzeClasses(packages = "keelscope", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] WINDOW = {
        "keelscope.app..", "keelscope.setup..", "keelscope.dashboard..", "keelscope.chart..", "keelscope.run..",
        "keelscope.text.."
    };

    @ArchTest
    static final ArchRule theWindowKnowsNothingOfDjl =
            noClasses().that().resideInAnyPackage(WINDOW).should().dependOnClassesThat().resideInAPackage("ai.djl..");

    @ArchTest
    static final ArchRule theEngineKnowsNothingOfJavaFx = noClasses()
            .that()
            .resideOutsideOfPackages(WINDOW)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("javafx..", "io.fair_acc..", "org.controlsfx..");

    @ArchTest
    static final ArchRule theEngineKnowsNothingOfTheWindow = noClasses()
            .that()
            .resideOutsideOfPackages(WINDOW)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(WINDOW);

    @ArchTest
    static final ArchRule chartsKnowOnlyWhatARunHolds = noClasses()
            .that()
            .resideInAPackage("keelscope.chart..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("keelscope.app..", "keelscope.setup..", "keelscope.dashboard..");

    @ArchTest
    static final ArchRule runsKnowNothingOfHowTheyAreShown = noClasses()
            .that()
            .resideInAPackage("keelscope.run..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "keelscope.app..", "keelscope.setup..", "keelscope.dashboard..", "keelscope.chart..", "javafx.scene..");

    @ArchTest
    static final ArchRule theSetUpKnowsNothingOfRunsAndCharts = noClasses()
            .that()
            .resideInAPackage("keelscope.setup..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("keelscope.app..", "keelscope.run..", "keelscope.dashboard..", "keelscope.chart..");

    @ArchTest
    static final ArchRule onlyChartsDrawWithChartFx = noClasses()
            .that()
            .resideOutsideOfPackage("keelscope.chart..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.fair_acc..");
}
