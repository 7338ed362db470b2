package keelscope.export;

import java.util.concurrent.CancellationException;

/** How far something long has come, and whether it is still wanted. Called often; it must be quick. */
@FunctionalInterface
public interface Progress {

    /** Nobody watches and nobody cancels. */
    Progress UNWATCHED = share -> true;

    /**
     * Told how far it has come.
     *
     * @param share from 0 to 1
     * @return whether to go on
     */
    boolean at(double share);

    /** @throws CancellationException if it is no longer wanted */
    default void check(double share) {
        if (!at(share)) {
            throw new CancellationException("Cancelled.");
        }
    }
}
