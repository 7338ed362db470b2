package keelscope.checkpoint;

import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * A tensor to be written, whose numbers are asked for only when it is their turn: so native memory is copied a tensor at a
 * time.
 *
 * @param info what it is
 * @param content gives the next part of its numbers, row-major and little-endian, from the buffer's position to its limit; it is
 *     called until the tensor is complete, so most give everything at the first call and those beyond 2 GB a part at each
 */
public record TensorSource(TensorInfo info, Supplier<ByteBuffer> content) {}
