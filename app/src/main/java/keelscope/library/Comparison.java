package keelscope.library;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import keelscope.model.Scheme;
import keelscope.run.ArmSnapshot;
import keelscope.run.RunSession.Compared;
import keelscope.run.Shown;
import keelscope.text.Texts;

/**
 * Arms of any runs to be shown together.
 *
 * @param arms each with a name that no other has
 * @param grouping what the charts show of them
 */
public record Comparison(List<Compared> arms, Function<List<ArmSnapshot>, Shown> grouping) {
    public Comparison {
        arms = List.copyOf(arms);
    }

    /** Its name on screen. */
    public String title() {
        return Texts.get("library.comparison", arms.size());
    }

    /** Of every arm of these rows, each once. */
    static Comparison of(List<LibraryRow> rows, Grouping grouping) {
        Map<Path, LibraryRun> runs = new LinkedHashMap<>();
        Map<Path, RunHead> heads = new HashMap<>();
        for (LibraryRow row : rows) {
            for (RunHead head : row.arms()) {
                runs.putIfAbsent(head.file(), row.run());
                heads.put(head.file(), head);
            }
        }
        List<Compared> arms = names(runs, heads);
        return new Comparison(arms, grouping == Grouping.NONE
                ? Shown::each
                : snapshots -> ArmGroups.by(grouping.keyOf(arm -> Optional.ofNullable(heads.get(arm.file()))), snapshots));
    }

    /** The arm's name; where two have the same, with its run's behind it; where that is the same too, with a number. */
    private static List<Compared> names(Map<Path, LibraryRun> runs, Map<Path, RunHead> heads) {
        Map<String, Integer> titles = new HashMap<>();
        runs.keySet().forEach(file -> titles.merge(title(heads.get(file)), 1, Integer::sum));
        List<Compared> arms = new ArrayList<>();
        Map<String, Integer> taken = new HashMap<>();
        runs.forEach((file, run) -> {
            RunHead head = heads.get(file);
            boolean alone = titles.get(title(head)) == 1;
            String name = alone ? head.info().arm() : title(head) + " · " + run.name();
            int number = taken.merge(name, 1, Integer::sum);
            arms.add(new Compared(file, number == 1 ? name : name + " · " + number));
        });
        return arms;
    }

    /** The scheme's title where the arm is named after its scheme, else the arm's name. */
    static String title(RunHead head) {
        return Scheme.of(head.info().scheme())
                .filter(scheme -> scheme.id().equals(head.info().arm()))
                .map(Scheme::title)
                .orElse(head.info().arm());
    }
}
