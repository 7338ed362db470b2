package keelscope.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the charts show of some arms.
 *
 * @param snapshots the arms themselves, or several of them as one
 * @param colours by an arm's run file, the colour of the snapshot that it is, or is part of
 */
public record Shown(List<ArmSnapshot> snapshots, Map<Path, Integer> colours) {
    public Shown {
        snapshots = List.copyOf(snapshots);
        colours = Map.copyOf(colours);
    }

    /** Each arm for itself. */
    public static Shown each(List<ArmSnapshot> arms) {
        return new Shown(arms, arms.stream().collect(Collectors.toMap(ArmSnapshot::file, ArmSnapshot::colour, (one, same) -> one)));
    }
}
