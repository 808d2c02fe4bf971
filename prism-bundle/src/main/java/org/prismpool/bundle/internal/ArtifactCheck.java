package org.prismpool.bundle.internal;

import java.util.HexFormat;
import org.prismpool.bundle.BundleException;
import org.prismpool.bundle.BundleFailure;
import org.prismpool.payout.audit.JobSummary;
import org.prismpool.payout.coinbase.CoinbaseManifest;
import org.prismpool.payout.coinbase.CoinbaseOutput;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.job.CoinbaseScript;
import org.prismpool.templates.job.CoinbaseSplit;

/** Validates what a compiler returned, whatever its transport (spec 07 §5.5). Stateless. */
final class ArtifactCheck {

    private static final String PHASE = "signing_verification";

    private final String manifestPublicKeyHex;
    private final int extranonce2Size;

    ArtifactCheck(String manifestPublicKeyHex, int extranonce2Size) {
        this.manifestPublicKeyHex = manifestPublicKeyHex;
        this.extranonce2Size = extranonce2Size;
    }

    /** Returns the coinbase split around the extranonces, or refuses the artifact. */
    CoinbaseSplit check(JobSummary job, FoundBlock requested) {
        require(job.foundBlock().equals(requested), "the compiled job belongs to another found block");
        CoinbaseManifest manifest = job.signedCoinbaseManifest().manifest();
        require(
                manifest.blockHeight() == requested.blockHeight()
                        && manifest.coinbaseValueSats() == requested.coinbaseValueSats(),
                "the manifest belongs to another block");
        long sum = 0;
        for (CoinbaseOutput output : manifest.outputs()) {
            sum = Math.addExact(sum, output.amountSats());
        }
        require(sum == requested.coinbaseValueSats(), "the outputs do not sum up to the coinbase value");
        require(
                manifest.coinbaseScriptSigHex()
                        .startsWith(HexFormat.of().formatHex(CoinbaseScript.heightPush(requested.blockHeight()))),
                "the scriptSig does not push the block height");
        require(!job.payoutPolicyManifest().accounts().isEmpty(), "the compiled job has no accounts");
        checkSignature(job);
        try {
            return CoinbaseSplit.of(
                    HexFormat.of().parseHex(manifest.coinbaseTxHex()),
                    Hash256.ofDisplayHex(manifest.coinbaseTxid()),
                    extranonce2Size);
        } catch (RuntimeException malformed) {
            throw new BundleException(
                    BundleFailure.BLOCKED, PHASE, "unusable coinbase: " + malformed.getMessage(), malformed);
        }
    }

    private void checkSignature(JobSummary job) {
        require(
                job.signedCoinbaseManifest().signature().publicKeyHex().equals(manifestPublicKeyHex),
                "the manifest is signed with another key");
        try {
            job.signedCoinbaseManifest().verifySignature();
        } catch (PayoutRuleException invalid) {
            throw new BundleException(BundleFailure.BLOCKED, PHASE, "invalid manifest signature", invalid);
        }
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new BundleException(BundleFailure.BLOCKED, PHASE, message);
        }
    }
}
