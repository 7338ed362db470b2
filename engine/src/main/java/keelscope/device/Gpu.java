package keelscope.device;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A GPU as the NVIDIA driver reports it, or one instance of a GPU that is divided (MIG).
 *
 * @param index the card's number in {@code nvidia-smi}
 * @param uuid what CUDA_VISIBLE_DEVICES can name it by: {@code GPU-…}, for an instance {@code MIG-…}
 * @param name for example {@code NVIDIA H200}
 * @param driver version of the driver, for example {@code 570.124.06}
 * @param freeMiB memory not in use, −1 where not told
 * @param capability compute capability × 10, so 90 for 9.0; −1 where not told
 * @param divided whether MIG is on; such a card can only be used through its instances
 * @param instance whether this is an instance of a divided card
 */
record Gpu(
        int index,
        String uuid,
        String name,
        String driver,
        long freeMiB,
        int capability,
        boolean divided,
        boolean instance) {

    /** What to ask {@code nvidia-smi} for, and what drivers too old to know the last two can still answer. */
    static final List<String> QUERY = query("index,uuid,name,driver_version,memory.free,mig.mode.current,compute_cap");

    static final List<String> SHORT_QUERY = query("index,uuid,name,driver_version,memory.free");

    private static final Pattern INSTANCE = Pattern.compile("MIG (\\S+)\\s+Device\\s+\\d+:\\s+\\(UUID: (MIG-[^)]+)\\)");
    private static final Pattern CARD = Pattern.compile("GPU (\\d+):.*");

    private static List<String> query(String fields) {
        return List.of("--query-gpu=" + fields, "--format=csv,noheader,nounits");
    }

    /** The cards in the answer to one of the queries; lines of another form are left out. */
    static List<Gpu> parse(String answer) {
        List<Gpu> cards = new ArrayList<>();
        for (String line : answer.lines().toList()) {
            String[] field = line.split(",\\s*", -1);
            if (field.length < 5 || !field[0].strip().matches("[0-9]+")) {
                continue;
            }
            cards.add(new Gpu(
                    Integer.parseInt(field[0].strip()),
                    field[1].strip(),
                    field[2].strip(),
                    field[3].strip(),
                    number(field[4]),
                    field.length > 6 ? (int) number(field[6].replace(".", "")) : -1,
                    field.length > 5 && field[5].strip().equals("Enabled"),
                    false));
        }
        return List.copyOf(cards);
    }

    /** The instances of this card in the answer to {@code nvidia-smi -L}. */
    List<Gpu> instances(String listing) {
        List<Gpu> found = new ArrayList<>();
        boolean mine = false;
        for (String line : listing.lines().toList()) {
            Matcher card = CARD.matcher(line.strip());
            if (card.matches()) {
                mine = Integer.parseInt(card.group(1)) == index;
            }
            Matcher part = INSTANCE.matcher(line);
            if (mine && part.find()) {
                found.add(new Gpu(
                        index, part.group(2), name + " MIG " + part.group(1), driver, -1, capability, false, true));
            }
        }
        return List.copyOf(found);
    }

    /** The first number of the driver's version, 0 where it has none. */
    int driverBranch() {
        Matcher matcher = Pattern.compile("^(\\d+)").matcher(driver);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    private static long number(String text) {
        String digits = text.strip();
        return digits.matches("[0-9]{1,15}") ? Long.parseLong(digits) : -1;
    }
}
