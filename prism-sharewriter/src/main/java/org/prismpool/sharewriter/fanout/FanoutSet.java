package org.prismpool.sharewriter.fanout;

import java.util.List;

/**
 * Manifest set of a block's fanout transactions, to be stored.
 *
 * @param blockHash display hash of the block
 * @param manifestSetJson canonical text of the set
 * @param manifestSetSha256 digest of that text
 * @param settlementMode {@code hybrid_coinbase_ctv_fanout} or {@code ctv_fanout}
 * @param parentCoinbaseTxid id of the coinbase that funds them
 * @param parentCoinbaseTxHex that coinbase
 * @param fanoutOutputSumSats sum of all fanout outputs
 * @param covenantOutputValueSats sum of all covenant outputs
 * @param artifacts the transactions, one per chunk
 */
public record FanoutSet(
        String blockHash,
        String manifestSetJson,
        String manifestSetSha256,
        String settlementMode,
        String parentCoinbaseTxid,
        String parentCoinbaseTxHex,
        long fanoutOutputSumSats,
        long covenantOutputValueSats,
        List<FanoutArtifact> artifacts) {

    /** Copies the list. */
    public FanoutSet {
        artifacts = List.copyOf(artifacts);
        if (artifacts.isEmpty()) {
            throw new IllegalArgumentException("manifest_set.manifests must be a non-empty array");
        }
    }
}
