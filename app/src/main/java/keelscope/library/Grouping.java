package keelscope.library;

import java.util.Locale;
import java.util.function.Function;
import keelscope.run.ArmSnapshot;
import keelscope.text.Texts;

/** The settings by which arms can be put together. */
public enum Grouping {
    NONE(head -> ""),
    SCHEME(LibraryRun::scheme),
    PEAK_RATE(head -> Texts.get("library.column.peak") + " " + LibraryTexts.number(head.peakRate())),
    LAYERS(head -> "L = " + head.info().layers()),
    WIDTH(head -> Texts.get("library.column.width") + " " + head.info().dModel()),
    ARM(head -> head.info().arm());

    private final Function<RunHead, String> key;

    Grouping(Function<RunHead, String> key) {
        this.key = key;
    }

    /** Its name on screen. */
    public String title() {
        return Texts.get("library.group." + name().toLowerCase(Locale.ROOT));
    }

    /** The name of the group an arm belongs to. */
    String of(RunHead head) {
        return key.apply(head);
    }

    /** For snapshots, by the head each was opened with; one whose head is not known stands for itself. */
    Function<ArmSnapshot, String> keyOf(Function<ArmSnapshot, java.util.Optional<RunHead>> heads) {
        return arm -> heads.apply(arm).map(this::of).orElse(arm.info().arm());
    }
}
