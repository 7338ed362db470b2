package keelscope.checkpoint;

import java.util.Arrays;
import java.util.List;

/**
 * What a tensor is, without its numbers.
 *
 * @param shape lengths of its dimensions, outermost first; empty for a single number
 */
public record TensorInfo(String name, Dtype dtype, List<Long> shape) {

    /** @throws IllegalArgumentException with one sentence if a dimension is negative or the tensor too large for any file */
    public TensorInfo {
        shape = List.copyOf(shape);
        if (name.equals(SafetensorsWriter.METADATA)) {
            throw new IllegalArgumentException("A tensor cannot be named " + name + "; the format keeps that name for itself.");
        }
        try {
            bytes(dtype, shape);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("Tensor " + name + " has the shape " + shape + "; its size cannot be counted.", e);
        }
    }

    public static TensorInfo of(String name, Dtype dtype, long... shape) {
        return new TensorInfo(name, dtype, Arrays.stream(shape).boxed().toList());
    }

    /** Size of the numbers, bytes. */
    public long bytes() {
        return bytes(dtype, shape);
    }

    private static long bytes(Dtype dtype, List<Long> shape) {
        long n = dtype.bytes();
        for (long length : shape) {
            if (length < 0) {
                throw new ArithmeticException("negative length");
            }
            n = Math.multiplyExact(n, length);
        }
        return n;
    }
}
