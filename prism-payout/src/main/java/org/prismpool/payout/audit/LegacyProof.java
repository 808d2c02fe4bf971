package org.prismpool.payout.audit;

import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.Sha256;

/**
 * Evidence from before its format was complete, proved by the ledger for as long as the file stays as it was (payout
 * specification 15.5). Kept in memory only.
 *
 * @param fileSha256 hash of the evidence file
 * @param block the row that proved it
 */
record LegacyProof(String fileSha256, ConfirmedBlock block) {

    /** Compares old evidence with a row; nothing if any fact differs or the ledger has a later block. */
    static Optional<LegacyProof> of(LiveDocuments.Evidence evidence, byte[] file, ConfirmedBlock block, long floor) {
        Map<?, ?> members = evidence.members();
        boolean exact = evidence.state() == LiveDocuments.Evidence.State.LEGACY
                && block.sequence() == floor
                && (evidence.sequence() == 0 || evidence.sequence() == block.sequence())
                && evidence.blockHash().equals(block.blockHash())
                && new BigInteger(Long.toUnsignedString(block.blockHeight())).equals(members.get("block_height"))
                && block.auditBundleSha256().equals(digest(members));
        return exact ? Optional.of(new LegacyProof(Sha256.hex(file), block)) : Optional.empty();
    }

    boolean covers(byte[] file) {
        return fileSha256.equals(Sha256.hex(file));
    }

    private static @Nullable Object digest(Map<?, ?> members) {
        return members.get("persistence") instanceof Map<?, ?> persistence
                ? persistence.get("audit_bundle_sha256")
                : null;
    }
}
