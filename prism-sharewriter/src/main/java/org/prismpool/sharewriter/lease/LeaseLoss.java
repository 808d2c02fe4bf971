package org.prismpool.sharewriter.lease;

/**
 * Port that ends the process when its authority is gone.
 *
 * <p>Called at most once, on the heartbeat or monitor thread. Must not wait for a lock, a log or the database: after the
 * exit budget of {@link LeaseTiming} the process has to be gone.
 */
@FunctionalInterface
public interface LeaseLoss {

    /**
     * Ends the process.
     *
     * @param reason why
     */
    void lost(String reason);

    /**
     * Returns a handler that halts the virtual machine at once.
     *
     * @param exitCode exit code
     * @return the handler
     */
    static LeaseLoss halt(int exitCode) {
        return reason -> Runtime.getRuntime().halt(exitCode);
    }
}
