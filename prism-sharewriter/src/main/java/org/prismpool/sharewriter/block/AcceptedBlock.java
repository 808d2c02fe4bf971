package org.prismpool.sharewriter.block;

import java.util.List;
import java.util.Locale;

/**
 * Everything that landing a block records.
 *
 * @param blockHash display hash; kept in lower case
 * @param height height, 0 or more
 * @param parentHash display hash of the parent
 * @param coinbaseTxid id of the coinbase transaction
 * @param payoutManifestSha256 digest of the payout manifest
 * @param bundle audit bundle
 * @param accounts accounts of the payout policy manifest
 */
public record AcceptedBlock(
        String blockHash,
        long height,
        String parentHash,
        String coinbaseTxid,
        String payoutManifestSha256,
        AuditBundleRow bundle,
        List<PayoutAccount> accounts) {

    /** Lowers the hash and copies the list. */
    public AcceptedBlock {
        blockHash = blockHash.toLowerCase(Locale.ROOT);
        accounts = List.copyOf(accounts);
        if (height < 0) {
            throw new IllegalArgumentException("block height must be non-negative");
        }
    }
}
