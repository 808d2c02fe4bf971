package org.prismpool.payout;

import java.util.List;
import java.util.OptionalLong;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.AuditVerifier;
import org.prismpool.payout.audit.BlockTerms;
import org.prismpool.payout.audit.PayoutExplanation;
import org.prismpool.payout.audit.VerificationReport;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.WindowShare;

/** The embedding example of the README: from a list of shares to a verified payout. */
final class PayShares {

    private PayShares() {}

    static List<String> pay(List<WindowShare> shares, long networkDifficulty, SigningSeed pool, SigningSeed ledger) {
        long anchorMs = shares.get(shares.size() - 1).acceptedAtMs(); // nothing later counts
        FoundBlock block = new FoundBlock(70_000, 2_100_000_000, U128.ofUnsigned(networkDifficulty), anchorMs);

        AuditBundleBuilder builder = new AuditBundleBuilder(pool, ledger);
        AuditBundle bundle = builder.build(new AuditBuildInput(shares, BlockTerms.of(block)));

        String coinbase = bundle.signedCoinbaseManifest().manifest().coinbaseTxHex(); // what the block must contain
        VerificationReport report = new AuditVerifier(ledger.publicKeyHex()).verify(bundle);
        AuditVerifier.compareWithChain(report, coinbase, OptionalLong.of(2_100_000_000L));
        return PayoutExplanation.of(bundle, "alice").lines();
    }
}
