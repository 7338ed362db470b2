package keelscope.device;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.jni.LibUtils;
import ai.djl.training.GradientCollector;
import java.util.Arrays;

/**
 * The main class of the process that tries a device: a small product and its gradient, checked. A crash of a native library
 * ends that process only.
 */
final class DeviceTrial {

    /** Begin the line that tells the result; whatever else is written is the libraries' own talk. */
    static final String RIGHT = "keelscope-trial-right ";

    static final String WRONG = "keelscope-trial-wrong ";

    private DeviceTrial() {}

    /** Takes the device, {@code cpu} or {@code gpu:N}; exits 1 if it does not work. */
    public static void main(String[] args) {
        try {
            String detail = tryOn(args[0]);
            System.out.println(RIGHT + detail);
        } catch (Throwable e) { // also a library that cannot be linked
            System.out.println(WRONG + reason(e));
            System.exit(1);
        }
    }

    private static String tryOn(String name) {
        Device device = name.equals("cpu") ? Device.cpu() : Device.gpu(Integer.parseInt(name.substring("gpu:".length())));
        Engine engine = Engine.getEngine("PyTorch");
        try (NDManager manager = engine.newBaseManager(device)) {
            NDArray x = manager.create(new float[] {1, 2, 3, 4, 5, 6}, new Shape(3, 2));
            NDArray w = manager.create(new float[] {1, -1, 2, 0.5f}, new Shape(2, 2));
            w.setRequiresGradient(true);
            try (GradientCollector collector = engine.newGradientCollector()) {
                collector.backward(x.matMul(w).sum());
            }
            // d sum(x w) / d w[i][j] is the sum of column i of x, whatever j: 1 + 3 + 5 and 2 + 4 + 6.
            float[] gradient = w.getGradient().toFloatArray();
            if (!Arrays.equals(gradient, new float[] {9, 9, 12, 12})) {
                throw new IllegalStateException("a gradient of 9 and 12 came out as " + Arrays.toString(gradient));
            }
        }
        return "PyTorch " + engine.getVersion() + " in " + LibUtils.getLibtorchPath();
    }

    /** The innermost message, on one line: outer ones say only that the engine could not be loaded. */
    private static String reason(Throwable e) {
        Throwable inner = e;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        String kind = inner.getClass().getSimpleName();
        String message = inner.getMessage() == null ? "" : inner.getMessage().lines().findFirst().orElse("").strip();
        return message.isEmpty() ? kind : kind + ": " + message;
    }
}
