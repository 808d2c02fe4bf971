package org.prismpool.bundle.compile;

import java.util.Objects;
import org.prismpool.payout.coinbase.SignedCoinbaseManifest;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.window.FoundBlock;

/**
 * The job summary of a compile (spec 04 §8.13).
 *
 * @param foundBlock found-block descriptor that it was compiled for
 * @param coinbase signed coinbase manifest
 * @param payoutPolicy accounts behind it
 */
public record CompiledJob(FoundBlock foundBlock, SignedCoinbaseManifest coinbase, PayoutPolicyManifest payoutPolicy) {

    /** Checks the components. */
    public CompiledJob {
        Objects.requireNonNull(foundBlock, "foundBlock");
        Objects.requireNonNull(coinbase, "coinbase");
        Objects.requireNonNull(payoutPolicy, "payoutPolicy");
    }
}
