package keelscope.model;

import ai.djl.Device;
import ai.djl.MalformedModelException;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValueUtils;
import ai.djl.pytorch.jni.JniUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** The step program as PyTorch runs it: a loaded module, whose methods are called by name. */
final class StepModule implements AutoCloseable {

    private final Model model; // held: once collected, its finalizer would free the module
    private final PtSymbolBlock block;

    StepModule(byte[] archive, Device device) {
        model = Model.newInstance("keelscope", device, "PyTorch");
        try {
            model.load(new ByteArrayInputStream(archive));
        } catch (IOException | MalformedModelException e) {
            throw new IllegalStateException("the step program does not load", e);
        }
        block = (PtSymbolBlock) model.getBlock();
    }

    /** Sets what PyTorch keeps for each thread; to be called by every thread that calls a module. */
    static void prepareThread() {
        JniUtils.setGradMode(true); // off by default in DJL
        // The optimising executor rewrites the program after it has watched two runs, and rounds differently from then on:
        // a resumed run would differ from one that was never stopped.
        JniUtils.setGraphExecutorOptimize(false);
    }

    /** What a method returns, in {@code scope}. */
    NDList call(String method, NDList inputs, NDManager scope) {
        NDArray name = scope.create(0);
        name.setName("module_method:" + method);
        NDList all = new NDList(inputs);
        all.add(name);
        NDList out = IValueUtils.forward(block, all, true);
        out.attach(scope);
        return out;
    }

    @Override
    public void close() {
        model.close();
    }
}
