package keelscope.model;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.jni.JniUtils;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A second program with the parameters of the first, which computes the gradients of a share of each batch beside it, on a
 * thread of its own.
 */
final class Share implements AutoCloseable {

    private final StepModule module;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "share");
        made.setDaemon(true);
        return made;
    });

    Share(StepModule module) {
        this.module = module;
        thread.execute(() -> {
            StepModule.prepareThread();
            JniUtils.setNumThreads(1);
        });
    }

    /** Begins {@code deliver} of the program text. */
    CompletableFuture<NDList> begin(NDList inputs, NDManager scope) {
        return CompletableFuture.supplyAsync(() -> module.call("deliver", inputs, scope), thread);
    }

    /** Waits for all, whatever becomes of one of them, and then fails as the first that failed did. */
    static void await(Iterable<CompletableFuture<NDList>> begun) {
        Throwable failure = null;
        for (CompletableFuture<NDList> one : begun) {
            try {
                one.join();
            } catch (CompletionException e) {
                failure = failure == null ? e.getCause() : failure;
            }
        }
        if (failure instanceof RuntimeException known) {
            throw known;
        }
        if (failure instanceof Error error) {
            throw error;
        }
    }

    @Override
    public void close() {
        thread.shutdown();
        module.close();
    }
}
