package keelscope.chart;

/** Which sub-layers a chart by layer draws. */
public enum SubLayers {
    ALL("All", "all sub-layers"),
    ATTENTION("Attn", "attention sub-layers only"),
    FEED_FORWARD("FFN", "feed-forward sub-layers only");

    private final String title;
    private final String text;

    SubLayers(String title, String text) {
        this.title = title;
        this.text = text;
    }

    /** The word on the switch. */
    String title() {
        return title;
    }

    /** The same in a phrase. */
    String text() {
        return text;
    }

    /** Whether sub-layer {@code l} is among them: even ones are attention, odd ones feed-forward. */
    boolean contains(int l) {
        return this == ALL || (l % 2 == 0) == (this == ATTENTION);
    }
}
