package keelscope.data;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import keelscope.random.SplitMix64;

/**
 * The words of the sample text: a few hundred English stems, and from them by compounding and affixes a few thousand
 * words, as a language makes its own. Frequent words are few and rare ones many (Zipf's law).
 */
final class Lexicon {
    private static final String[] NOUNS = split("""
            river stone harbour garden window lantern bridge winter summer morning evening tower market letter sailor
            baker miller teacher captain doctor painter weaver farmer horse raven fox cat dog sheep goose heron salmon
            apple pear plum bread honey salt candle ladder basket barrel hammer needle thread mirror carpet kettle table
            chair door gate fence road path field forest meadow hill valley island shore wave storm cloud rain snow ice
            wind fire smoke ash light shadow night star moon sun clock bell drum flute song story book page map coin
            ring key lock rope sail anchor mast boat ship cart wheel mill barn roof wall floor stair room house village
            city kingdom law promise secret question answer reason memory dream idea number circle line colour sound
            voice word name face hand eye heart bone feather leaf root seed flower branch tree well stream lake marsh
            desert mountain cave tunnel engine spring lever glass copper iron silver gold wool silk linen leather paper
            ink chalk clay brick sand dust mud moss fern oak birch willow elm thorn rose clover barley wheat oat""");
    private static final String[] VERBS = split("""
            carry watch follow open close paint mend gather plant water count measure weigh answer call visit remember
            forget name cover fill empty lift lower push pull turn wash polish borrow return trade sort guard guide
            warn thank trust help greet record copy fold load unload hammer light order observe question praise
            examine repair deliver collect discover describe draw_drew_drawn find_found_found keep_kept_kept
            bring_brought_brought leave_left_left hold_held_held sell_sold_sold buy_bought_bought
            build_built_built choose_chose_chosen break_broke_broken steal_stole_stolen take_took_taken
            give_gave_given see_saw_seen know_knew_known hear_heard_heard lose_lost_lost make_made_made
            write_wrote_written read_read_read teach_taught_taught catch_caught_caught throw_threw_thrown""");
    private static final String[] ADJECTIVES = split("""
            old new small large tall short long deep shallow narrow wide warm cold bright dark quiet loud quick slow
            heavy light soft hard rough smooth sharp blunt clean dirty dry wet rich poor young wise kind proud brave
            gentle patient careful honest strange plain simple golden silver green red blue grey white black brown
            yellow purple empty full broken hidden secret famous forgotten ancient distant northern southern eastern
            western bitter sweet sour salty hollow round square crooked straight open shut busy idle clever silent""");
    private static final String[] PREFIXES = split("over under out fore after cross side high low mid north south");
    private static final String[] ENDINGS = split("keeper maker house yard stone field master work side way land man");
    private static final String[] ONSETS =
            split("b br c cl d dr f fl g gr h j k l m n p pr r s sh st t th tr v w");
    private static final String[] VOWELS = split("a e i o u ai ea ee ia oa");
    private static final String[] CODAS = split("n r l m s nd rt ld th ck ss ne sk lm");

    /** A verb's forms. */
    record Verb(String base, String third, String past, String participle, String gerund) {}

    final List<String> nouns;
    final List<Verb> verbs;
    final List<String> adjectives;
    final List<String> adverbs;

    private final SplitMix64 random;

    Lexicon(SplitMix64 random) {
        this.random = random;
        Set<String> allNouns = new LinkedHashSet<>(shuffled(List.of(NOUNS)));
        for (int i = 0; i < 700; i++) {
            allNouns.add(NOUNS[index(NOUNS.length)] + NOUNS[index(NOUNS.length)]);
            allNouns.add(NOUNS[index(NOUNS.length)] + ENDINGS[index(ENDINGS.length)]);
        }
        for (int i = 0; i < 300; i++) {
            allNouns.add(PREFIXES[index(PREFIXES.length)] + NOUNS[index(NOUNS.length)]);
        }
        for (int i = 0; i < 500; i++) {
            allNouns.add(invented(1 + index(2)));
        }
        nouns = List.copyOf(allNouns);
        List<Verb> allVerbs = new ArrayList<>();
        for (String verb : shuffled(List.of(VERBS))) {
            allVerbs.add(verb(verb));
        }
        for (int i = 0; i < 120; i++) {
            allVerbs.add(verb(invented(1)));
        }
        verbs = List.copyOf(allVerbs);
        Set<String> allAdjectives = new LinkedHashSet<>(shuffled(List.of(ADJECTIVES)));
        for (int i = 0; i < 200; i++) {
            String noun = NOUNS[index(NOUNS.length)];
            allAdjectives.add(noun + (index(2) == 0 ? "less" : "-like"));
            allAdjectives.add(ADJECTIVES[index(ADJECTIVES.length)] + "-" + participleOf(index(verbs.size())));
        }
        adjectives = List.copyOf(allAdjectives);
        adverbs = adjectives.stream()
                .limit(70)
                .filter(a -> a.indexOf('-') < 0)
                .map(a -> a.endsWith("y") ? a.substring(0, a.length() - 1) + "ily" : a.endsWith("le") ? a.substring(0, a.length() - 1) + "y" : a + "ly")
                .toList();
    }

    /** A word that no dictionary has, of so many syllables and a last consonant. */
    String invented(int syllables) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < syllables; i++) {
            word.append(ONSETS[index(ONSETS.length)]).append(VOWELS[index(i == 0 ? VOWELS.length : 5)]);
        }
        return word.append(CODAS[index(CODAS.length)]).toString();
    }

    static String plural(String noun) {
        if (noun.endsWith("man")) {
            return noun.substring(0, noun.length() - 3) + "men";
        }
        if (noun.endsWith("s") || noun.endsWith("sh") || noun.endsWith("ch") || noun.endsWith("x")) {
            return noun + "es";
        }
        boolean consonantY = noun.endsWith("y") && "aeiou".indexOf(noun.charAt(noun.length() - 2)) < 0;
        return consonantY ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s";
    }

    static String withArticle(String phrase) {
        return ("aeiou".indexOf(phrase.charAt(0)) >= 0 ? "an " : "a ") + phrase;
    }

    private String participleOf(int verb) {
        return verbs.get(verb).participle();
    }

    private static Verb verb(String stem) {
        String[] forms = stem.split("_");
        String base = forms[0];
        boolean mute = base.endsWith("e") && !base.endsWith("ee");
        boolean consonantY = base.endsWith("y") && "aeiou".indexOf(base.charAt(base.length() - 2)) < 0;
        String regular = mute ? base + "d" : consonantY ? base.substring(0, base.length() - 1) + "ied" : base + "ed";
        String past = forms.length > 1 ? forms[1] : regular;
        String participle = forms.length > 2 ? forms[2] : regular;
        String gerund = (mute ? base.substring(0, base.length() - 1) : base) + "ing";
        return new Verb(base, plural(base), past, participle, gerund);
    }

    private int index(int bound) {
        return (int) random.below(bound);
    }

    private List<String> shuffled(List<String> words) {
        List<String> left = new ArrayList<>(words);
        List<String> result = new ArrayList<>();
        while (!left.isEmpty()) {
            result.add(left.remove(index(left.size())));
        }
        return result;
    }

    private static String[] split(String words) {
        return words.strip().split("\\s+");
    }
}
