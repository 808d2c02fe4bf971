package org.prismpool.app.devnode.state;

import java.util.Optional;

/**
 * What became of a submitted block.
 *
 * @param reason the node's answer text; empty when the block is on the active chain now
 */
public record SubmitVerdict(Optional<String> reason) {

    static SubmitVerdict accepted() {
        return new SubmitVerdict(Optional.empty());
    }

    static SubmitVerdict of(String reason) {
        return new SubmitVerdict(Optional.of(reason));
    }

    /**
     * Tells whether the block became part of the active chain by this call.
     *
     * @return true for the answer {@code null}
     */
    public boolean isAccepted() {
        return reason.isEmpty();
    }
}
