package org.prismpool.payout.audit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.MerkleBranch;

/** The commitment leaves and root that a block carries as its coinbase witness nonce (payout specification 10). */
final class AuditCommitments {

    private static final byte[] PRISM_DOMAIN = "qbit.prism.audit.commitment.v1".getBytes(StandardCharsets.US_ASCII);

    private AuditCommitments() {}

    static String prismLeafHex(byte[] rewardManifestSha256, byte[] policyManifestSha256) {
        return Sha256.hex(PRISM_DOMAIN, rewardManifestSha256, policyManifestSha256);
    }

    static String rootHex(List<String> leavesHex) {
        if (leavesHex.isEmpty()) {
            throw invalid("at least one commitment leaf is required");
        }
        List<Hash256> leaves = new ArrayList<>(leavesHex.size());
        for (int i = 0; i < leavesHex.size(); i++) {
            try {
                byte[] leaf = Hex.decode(leavesHex.get(i));
                if (leaf.length != Hash256.SIZE) {
                    throw invalid("commitment leaf " + i + " must be 32 bytes, got " + leaf.length);
                }
                leaves.add(Hash256.ofInternal(leaf));
            } catch (Hex.MalformedHexException e) {
                throw invalid("commitment leaf " + i + " is not hex: " + e.reason());
            }
        }
        return MerkleBranch.root(leaves).internalHex();
    }

    private static PayoutRuleException invalid(String reason) {
        return new PayoutRuleException("invalid audit commitment: " + reason);
    }
}
