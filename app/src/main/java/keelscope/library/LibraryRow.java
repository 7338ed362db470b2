package keelscope.library;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A row of the table: a run, or one arm of it. */
record LibraryRow(LibraryRun run, Optional<RunHead> arm) {

    /** What is opened by it. */
    Path place() {
        return arm.map(RunHead::file).orElse(run.place());
    }

    List<RunHead> arms() {
        return arm.map(List::of).orElse(run.arms());
    }

    String name() {
        return arm.map(head -> Comparison.title(head)).orElse(run.name());
    }

    String schemes() {
        return arm.map(LibraryRun::scheme).orElse(run.schemes());
    }

    double peakRate() {
        return arm.map(RunHead::peakRate).orElse(run.peakRate());
    }

    double loss() {
        return arm.map(RunHead::loss).orElse(run.loss());
    }

    String state() {
        return arm.map(LibraryTexts::state).orElse(LibraryTexts.state(run));
    }
}
