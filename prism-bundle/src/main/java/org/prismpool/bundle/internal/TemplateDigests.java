package org.prismpool.bundle.internal;

import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.Sha256;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.chain.Hash256;

/** Witness leaves and digests of a template's transactions, computed once per observation. Thread-safe. */
final class TemplateDigests {

    private volatile @Nullable Entry latest;

    record Entry(
            TemplateObservation template,
            List<String> witnessLeavesHex,
            String witnessSha256,
            String transactionsSha256) {}

    /** Work belongs to one observation, not to every equal one; comparing contents would cost a template each time. */
    @SuppressWarnings("ReferenceEquality")
    static boolean same(TemplateObservation a, TemplateObservation b) {
        return a == b;
    }

    Entry of(TemplateObservation template) {
        Entry known = latest;
        if (known != null && same(known.template(), template)) {
            return known;
        }
        List<Hash256> wtxids = template.template().transactions().wtxids();
        Entry made = new Entry(
                template,
                wtxids.stream().map(Hash256::internalHex).toList(),
                sha256(wtxids),
                sha256(template.template().transactions().txids()));
        latest = made;
        return made;
    }

    private static String sha256(List<Hash256> hashes) {
        MessageDigest digest = Sha256.newDigest();
        hashes.forEach(hash -> digest.update(hash.internalBytes()));
        return Hex.encode(digest.digest());
    }
}
