package keelscope.text;

/** The style classes by which style sheets know an arm: its colour and marker, the same on every chart and all around them. */
public final class ArmStyle {
    /** Colours and markers the style sheets have; arms beyond use them again. */
    public static final int COUNT = 7;

    private ArmStyle() {}

    /** The style class of the arm at a place in its experiment, from 0. */
    public static String of(int place) {
        return "arm-" + place % COUNT;
    }
}
