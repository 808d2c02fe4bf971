package org.prismpool.sharewriter.fanout;

import java.util.OptionalInt;
import java.util.OptionalLong;
import org.prismpool.sharewriter.block.PoolBlock;

/**
 * A fanout transaction with its block and its settlement so far.
 *
 * @param block its block
 * @param artifact the transaction
 * @param manifestSetSha256 digest of its set
 * @param chunkCount transactions in its set
 * @param parentCoinbaseTxid id of the coinbase that funds it
 * @param status settlement status
 * @param attempts broadcast attempts so far
 * @param nextAttemptAtMs Unix milliseconds before which it is not broadcast again, empty for at once
 */
public record FanoutRow(
        PoolBlock block,
        FanoutArtifact artifact,
        String manifestSetSha256,
        int chunkCount,
        String parentCoinbaseTxid,
        FanoutStatus status,
        long attempts,
        OptionalLong nextAttemptAtMs) {

    /**
     * Returns the fee anchor.
     *
     * @return output index, empty with a built-in fee
     */
    public OptionalInt anchorVout() {
        return artifact.anchorVout();
    }
}
