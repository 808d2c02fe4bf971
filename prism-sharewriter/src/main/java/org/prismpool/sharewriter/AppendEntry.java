package org.prismpool.sharewriter;

import java.util.Optional;

/**
 * One unit of an append: a share, and the block candidate it solves if any. Both become durable together or not at all.
 *
 * @param share the accepted share
 * @param candidate intent to submit the block, empty for an ordinary share
 */
public record AppendEntry(PendingShare share, Optional<OutboxIntent> candidate) {

    /**
     * Creates an entry for an ordinary share.
     *
     * @param share accepted share
     * @return the entry
     */
    public static AppendEntry share(PendingShare share) {
        return new AppendEntry(share, Optional.empty());
    }

    /**
     * Creates an entry for a share that solves a block.
     *
     * @param share accepted share
     * @param candidate intent to submit the block
     * @return the entry
     */
    public static AppendEntry solve(PendingShare share, OutboxIntent candidate) {
        return new AppendEntry(share, Optional.of(candidate));
    }
}
