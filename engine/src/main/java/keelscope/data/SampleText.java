package keelscope.data;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import keelscope.random.SplitMix64;

/**
 * The text that Keelscope writes itself: two million bytes of tales made by a grammar from a seed, the same on every
 * machine.
 *
 * <p>It holds what a model learns at different depths of understanding, so that the loss goes on falling for thousands of
 * steps: letters and spelling; a few thousand words with Zipf's frequencies, their inflections and compounds; agreement
 * across nested clauses; pronouns that stand for who was named before; people whose trade, home, age and belongings are told
 * once and taken up again paragraphs later, also as answers in dialogues; sums that come out; brackets and quotation marks
 * that close.
 */
final class SampleText {
    static final long SEED = 20260119895L;
    /** Counted up when the grammar changes, since what was made of the old text is then of no use. */
    static final int VERSION = 1;
    private static final int LENGTH = 2_000_000;

    private static final String[] NUMBERS = {
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"
    };
    private static final String[] TENS = {
        "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"
    };
    private static final String[] PREPOSITIONS = {
        "near", "behind", "under", "beside", "beyond", "above", "inside", "across from", "in front of", "on the way to"
    };
    private static final String[] BECAUSE = {"because", "although", "while", "after", "before", "since", "until", "whenever"};
    private static final String[] TIMES = {
        "In the morning", "That evening", "A year later", "On the third day", "Before dawn", "Towards noon",
        "When the bell rang", "At the end of winter", "Not long after", "Once, in the dry season"
    };
    private static final String[] MONTHS = {
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December"
    };

    /** Someone of a chapter; what is said of a person never changes. */
    private record Person(
            String name, boolean woman, String trade, String home, int age, String thing, String quality, String liking) {
        String he() {
            return woman ? "she" : "he";
        }

        String him() {
            return woman ? "her" : "him";
        }

        String his() {
            return woman ? "her" : "his";
        }
    }

    private final SplitMix64 random;
    private final Lexicon lexicon;
    private final StringBuilder text = new StringBuilder(LENGTH + 4096);
    private List<Person> cast = List.of();
    private List<String> topics = List.of();

    private SampleText(long seed) {
        random = SplitMix64.of(seed);
        lexicon = new Lexicon(SplitMix64.of(seed, 1));
    }

    /** The text as UTF-8; at least two million bytes, made anew at each call. */
    static byte[] bytes() {
        return new SampleText(SEED).write().getBytes(StandardCharsets.UTF_8);
    }

    private String write() {
        for (int chapter = 1; text.length() < LENGTH; chapter++) {
            chapter(chapter);
        }
        return text.toString();
    }

    private void chapter(int number) {
        List<Person> people = new ArrayList<>();
        List<String> towns = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            towns.add(capital(lexicon.invented(2)));
        }
        for (int i = 0; i < 4; i++) {
            people.add(person(towns));
        }
        cast = people;
        topics = List.of(noun(), noun(), noun(), noun(), noun());
        text.append("CHAPTER ").append(number).append(". The ").append(capital(adjective())).append(' ')
                .append(capital(topics.get(0))).append("\n\n");
        for (Person person : people) {
            paragraph(introduction(person));
        }
        int paragraphs = 14 + below(10);
        for (int i = 0; i < paragraphs; i++) {
            switch (below(9)) {
                case 0, 1, 2 -> tale();
                case 3, 4 -> dialogue();
                case 5 -> sums();
                case 6 -> paragraph(recollection());
                case 7 -> letter();
                default -> inventory();
            }
        }
        text.append('\n');
    }

    private Person person(List<String> towns) {
        boolean woman = chance(0.5);
        String name = capital(lexicon.invented(1)) + (woman ? pick("a", "ia", "e") : pick("o", "en", "us"));
        String trade = pick("baker", "miller", "sailor", "weaver", "painter", "doctor", "farmer", "teacher", "smith",
                "carpenter", "clockmaker", "beekeeper", "ferryman", "glassblower", "mapmaker", "bellringer");
        return new Person(name, woman, trade, towns.get(below(towns.size())), 12 + below(80),
                adjective() + " " + noun(), adjective(), Lexicon.plural(noun()));
    }

    // Paragraphs

    private List<String> introduction(Person p) {
        List<String> said = new ArrayList<>();
        said.add(p.name + " was " + Lexicon.withArticle(p.trade) + " from " + p.home + ", " + words(p.age) + " years old");
        said.add(pick("Everyone knew " + p.him() + " as " + Lexicon.withArticle(p.quality + " " + p.trade),
                "In " + p.home + " people called " + p.him() + " the " + p.quality + " one"));
        said.add(capital(p.he()) + " owned " + Lexicon.withArticle(p.thing) + " and loved " + p.liking);
        said.add(clause(p, 2));
        return said;
    }

    private List<String> recollection() {
        List<String> said = new ArrayList<>();
        for (Person p : cast) {
            said.add(switch (below(5)) {
                case 0 -> p.name + ", the " + p.trade + " of " + p.home + ", " + predicate(p, 1);
                case 1 -> "The " + p.thing + " still belonged to " + p.name;
                case 2 -> p.name + ", who was " + words(p.age) + " years old, " + predicate(p, 1);
                case 3 -> "Nobody in " + p.home + " loved " + p.liking + " more than " + p.name;
                default -> "The " + p.quality + " " + p.trade + " " + predicate(p, 2);
            });
        }
        return said;
    }

    private void tale() {
        Person hero = cast.get(below(cast.size()));
        List<String> said = new ArrayList<>();
        said.add(pick(TIMES) + ", " + clause(hero, 2));
        int sentences = 3 + below(5);
        for (int i = 0; i < sentences; i++) {
            said.add(switch (below(7)) {
                case 0 -> capital(hero.he()) + " " + predicate(hero, 2);
                case 1 -> capital(phrase(1, true)) + " " + thingPredicate(true);
                case 2 -> capital(phrase(1, false)) + " " + thingPredicate(false);
                case 3 -> "If " + phrase(0, true) + " is " + adjective() + ", then it is not " + adjective();
                case 4 -> capital(clause(hero, 1)) + " (" + aside(2) + ")";
                case 5 -> "It was " + pick("not ", "") + "easy to " + verb().base() + " " + phrase(2, chance(0.5));
                default -> clause(cast.get(below(cast.size())), 2);
            });
        }
        paragraph(said);
    }

    private void dialogue() {
        Person one = cast.get(below(cast.size()));
        Person other = cast.get(below(cast.size()));
        if (other == one) {
            other = cast.get((cast.indexOf(one) + 1) % cast.size());
        }
        int turns = 2 + below(3);
        for (int i = 0; i < turns; i++) {
            Person about = cast.get(below(cast.size()));
            String question;
            String answer;
            switch (below(6)) {
                case 0 -> {
                    question = "Where does " + about.name + " live?";
                    answer = capital(about.he()) + " lives in " + about.home + ".";
                }
                case 1 -> {
                    question = "How old is " + about.name + "?";
                    answer = capital(about.he()) + " is " + words(about.age) + ", I believe.";
                }
                case 2 -> {
                    question = "What is the trade of " + about.name + "?";
                    answer = about.name + " is " + Lexicon.withArticle(about.trade) + ".";
                }
                case 3 -> {
                    question = "Whose is this " + about.thing + "?";
                    answer = "It belongs to " + about.name + " from " + about.home + ".";
                }
                case 4 -> {
                    question = "What does " + about.name + " love?";
                    answer = capital(about.liking) + ", more than anything.";
                }
                default -> {
                    int a = 2 + below(30);
                    int b = 2 + below(30);
                    question = "What is " + words(a) + " and " + words(b) + "?";
                    answer = capital(words(a + b)) + ", of course.";
                }
            }
            String spoken = answer.substring(0, answer.length() - 1) + ",";
            text.append('"').append(question).append("\" ").append(pick("asked ", "said ", "wondered ")).append(one.name)
                    .append(".\n\"").append(spoken).append("\" ").append(pick("answered ", "said ", "replied "))
                    .append(other.name).append(".\n");
        }
        text.append('\n');
    }

    private void sums() {
        Person p = cast.get(below(cast.size()));
        String goods = Lexicon.plural(noun());
        int has = 3 + below(40);
        List<String> said = new ArrayList<>();
        said.add(p.name + " had " + words(has) + " " + goods);
        int turns = 2 + below(3);
        for (int i = 0; i < turns; i++) {
            Person other = cast.get(below(cast.size()));
            int some = 1 + below(12);
            if (has > some && chance(0.5)) {
                has -= some;
                said.add(capital(p.he()) + " gave " + words(some) + " to " + (other == p ? "a stranger" : other.name)
                        + " and kept " + words(has));
            } else {
                has += some;
                said.add(capital(p.he()) + " found " + words(some) + " more, so now there were " + words(has) + " " + goods);
            }
        }
        int a = 2 + below(11);
        int b = 2 + below(11);
        said.add(a + " times " + b + " is " + a * b + ", and " + a * b + " less " + a + " is " + (a * b - a));
        paragraph(said);
    }

    private void letter() {
        Person from = cast.get(below(cast.size()));
        Person to = cast.get((cast.indexOf(from) + 1) % cast.size());
        text.append(from.home).append(", ").append(1 + below(28)).append(' ').append(pick(MONTHS)).append(' ')
                .append(1700 + below(200)).append("\nDear ").append(to.name).append(",\n");
        paragraph(List.of(
                "I am told that you still have your " + to.thing,
                "Here in " + from.home + " " + phrase(1, true) + " " + thingPredicate(true),
                "My " + from.thing + " is " + adjective() + " now",
                "Bring " + pick("me ", "us ") + words(2 + below(9)) + " " + Lexicon.plural(topic()) + " and some "
                        + to.liking));
        text.setLength(text.length() - 1);
        text.append("Your ").append(from.quality).append(' ').append(from.trade).append(", ").append(from.name).append("\n\n");
    }

    private void inventory() {
        text.append("In the ").append(topic()).append(" there were:\n");
        int items = 3 + below(4);
        int total = 0;
        for (int i = 0; i < items; i++) {
            int count = 2 + below(12);
            total += count;
            text.append("- ").append(count).append(' ').append(adjective()).append(' ').append(Lexicon.plural(noun()))
                    .append(";\n");
        }
        text.append("in all ").append(total).append(" things.\n\n");
    }

    private void paragraph(List<String> sentences) {
        for (String sentence : sentences) {
            text.append(capital(sentence)).append(". ");
        }
        text.setLength(text.length() - 1);
        text.append("\n\n");
    }

    // Clauses and phrases; depth bounds how deep they nest

    private String clause(Person p, int depth) {
        String main = p.name + " " + predicate(p, depth);
        return depth > 0 && chance(0.4) ? main + " " + pick(BECAUSE) + " " + clause(cast.get(below(cast.size())), depth - 1) : main;
    }

    private String predicate(Person p, int depth) {
        Lexicon.Verb verb = verb();
        boolean many = chance(0.3);
        return switch (below(7)) {
            case 0 -> verb.past() + " " + phrase(depth, !many) + " " + pick(lexicon.adverbs);
            case 1 -> "had " + verb.participle() + " " + p.his() + " " + p.thing;
            case 2 -> "wanted to " + verb.base() + " " + phrase(depth, !many);
            case 3 -> "was " + verb.gerund() + " " + phrase(depth, !many) + " " + pick(PREPOSITIONS) + " " + phrase(0, true);
            case 4 -> "never " + verb.past() + " " + phrase(depth, !many) + " without " + verb().gerund() + " " + phrase(0, true);
            case 5 -> depth > 0
                    ? "said that " + clause(cast.get(below(cast.size())), depth - 1)
                    : verb.past() + " " + phrase(0, !many);
            default -> verb.past() + " " + phrase(depth, !many) + " and " + verb().past() + " " + phrase(0, many);
        };
    }

    /** A noun phrase, of one or many, with relative clauses inside it to {@code depth}. */
    private String phrase(int depth, boolean one) {
        StringBuilder phrase = new StringBuilder(one ? pick("the ", "the ", "this ", "every ") : pick("the ", "these ", "all ", words(2 + below(11)) + " "));
        if (chance(0.45)) {
            phrase.append(adjective()).append(' ');
        }
        String noun = chance(0.35) ? topic() : noun();
        phrase.append(one ? noun : Lexicon.plural(noun));
        if (depth > 0 && chance(0.35)) {
            switch (below(3)) {
                case 0 -> phrase.append(" that ").append(cast.get(below(cast.size())).name).append(' ').append(verb().past());
                case 1 -> phrase.append(" which ").append(one ? verb().third() : verb().base()).append(' ')
                        .append(phrase(depth - 1, chance(0.6)));
                default -> phrase.append(' ').append(pick(PREPOSITIONS)).append(' ').append(phrase(depth - 1, chance(0.7)));
            }
        }
        return phrase.toString();
    }

    private String thingPredicate(boolean one) {
        String be = one ? "is" : "are";
        return switch (below(4)) {
            case 0 -> be + " " + adjective() + " and " + adjective();
            case 1 -> be + " " + verb().participle() + " by " + phrase(1, chance(0.5));
            case 2 -> (one ? "has" : "have") + " " + words(2 + below(8)) + " " + Lexicon.plural(noun());
            default -> (one ? verb().third() : verb().base()) + " " + phrase(1, chance(0.5));
        };
    }

    private String aside(int depth) {
        boolean one = chance(0.5);
        String aside = phrase(0, one) + " " + thingPredicate(one);
        return depth > 0 && chance(0.3) ? aside + " [" + aside(depth - 1) + "]" : aside;
    }

    // Words

    private String noun() {
        return zipf(lexicon.nouns);
    }

    private String topic() {
        return topics.get(below(topics.size()));
    }

    private String adjective() {
        return zipf(lexicon.adjectives);
    }

    private Lexicon.Verb verb() {
        return zipf(lexicon.verbs);
    }

    /** The word at rank r with a probability that falls like 1 / (r + 5). */
    private <T> T zipf(List<T> words) {
        double rank = 5 * (StrictMath.pow((words.size() + 5) / 5.0, random.uniform()) - 1);
        return words.get(Math.min(words.size() - 1, (int) rank));
    }

    private static String words(int number) {
        if (number < 20) {
            return NUMBERS[number];
        }
        if (number >= 100) {
            return "a hundred" + (number == 100 ? "" : " and " + words(number - 100));
        }
        return TENS[number / 10] + (number % 10 == 0 ? "" : "-" + NUMBERS[number % 10]);
    }

    private static String capital(String phrase) {
        return Character.toUpperCase(phrase.charAt(0)) + phrase.substring(1);
    }

    private <T> T pick(List<T> choices) {
        return choices.get(below(choices.size()));
    }

    private String pick(String... choices) {
        return choices[below(choices.length)];
    }

    private int below(int bound) {
        return (int) random.below(bound);
    }

    private boolean chance(double probability) {
        return random.uniform() < probability;
    }
}
