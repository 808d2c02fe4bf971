package org.prismpool.refresh.internal;

import java.io.IOException;
import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.templates.chain.Hash256;

/** Calls to the neighbours that may fail, with each failure turned into the end of the pass that it means. */
final class NodeCalls<T, W> {

    private final RefreshCore<T, W> core;

    NodeCalls(RefreshCore<T, W> core) {
        this.core = core;
    }

    /** A call that may fail like a node. */
    @FunctionalInterface
    interface Call<R> {
        R run(Deadline deadline) throws IOException, InterruptedException;
    }

    Hash256 bestHash(Deadline pass) {
        return run("best hash", pass, deadline -> core.ports.chain().bestHash(deadline));
    }

    Optional<Hash256> parentOf(Hash256 tip, Deadline pass) {
        try {
            return Optional.of(
                    run("parent hash", pass, deadline -> core.ports.chain().parentOf(tip, deadline)));
        } catch (RefreshStop failed) {
            if (failed.kind() == org.prismpool.refresh.FailureKind.BLOCKED) {
                return Optional.empty(); // best effort: only clean-up needs the parent
            }
            throw failed;
        }
    }

    /** Requires that the tip is still the work's parent and that the chain view is trusted. */
    void requireLive(Hash256 parent, Deadline pass) {
        if (!bestHash(pass).equals(parent)) {
            throw RefreshStop.superseded("the node's tip moved");
        }
        org.prismpool.refresh.ChainTip.ChainTrust trust =
                run("chain view", pass, deadline -> core.ports.chain().trust(deadline));
        if (!trust.trusted()) {
            throw RefreshStop.untrusted(trust.reason());
        }
    }

    /** Runs a call within the RPC bound and what is left of the pass. */
    <R> R run(String what, Deadline pass, Call<R> call) {
        checkpoint(pass);
        try {
            return call.run(pass.within(core.config.bounds().rpc(), "rpc"));
        } catch (IOException | DeadlineExceededException failed) {
            if (pass.expired()) {
                throw RefreshStop.timeout(TimeoutLabel.REFRESH);
            }
            throw RefreshStop.blocked(what + " failed: " + failed.getMessage(), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw RefreshStop.shutdown();
        }
    }

    /** The checkpoint of every loop and step: stop first, then the pass's deadline. */
    void checkpoint(Deadline pass) {
        if (core.stop.raised()) {
            throw RefreshStop.shutdown();
        }
        if (pass.expired()) {
            throw RefreshStop.timeout(TimeoutLabel.REFRESH);
        }
    }
}
