package org.prismpool.bundle.compile;

import org.jspecify.annotations.Nullable;
import org.prismpool.payout.audit.JobSummary;
import org.prismpool.payout.coinbase.SignedCoinbaseManifest;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.JsonException;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.window.FoundBlock;

/** Reads the job summary that a helper printed (spec 04 §8.13). Stateless. */
final class SummaryReader {

    private static final ObjectShape SHAPE = ObjectShape.required(
            Name.of("found_block"), Name.of("signed_coinbase_manifest"), Name.of("payout_policy_manifest"));

    private SummaryReader() {}

    static JobSummary read(byte[] document) {
        ExactReader in = ExactReader.of(document);
        FoundBlock foundBlock = null;
        SignedCoinbaseManifest coinbase = null;
        PayoutPolicyManifest policy = null;
        ObjectCursor member = in.object(SHAPE);
        while (member.next()) {
            switch (member.name()) {
                case "found_block" -> foundBlock = FoundBlock.read(in);
                case "signed_coinbase_manifest" -> coinbase = SignedCoinbaseManifest.read(in);
                default -> policy = PayoutPolicyManifest.read(in);
            }
        }
        in.end();
        return new JobSummary(present(foundBlock), present(coinbase), present(policy));
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new JsonException("missing field");
        }
        return value;
    }
}
