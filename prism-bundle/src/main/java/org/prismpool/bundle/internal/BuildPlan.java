package org.prismpool.bundle.internal;

import java.util.List;
import java.util.Optional;
import org.prismpool.bundle.BuildKey;
import org.prismpool.bundle.BundleMode;
import org.prismpool.bundle.BundleRequest;
import org.prismpool.payout.finalization.BuildInputs;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.state.PublishedPayout;
import org.prismpool.payout.state.WindowNeed;

/**
 * An immutable request as it enters the scheduler: everything a build needs, decided once.
 *
 * @param request the caller's request
 * @param key key of the build, without the shares' digest
 * @param payout payout state that it is for
 * @param balances balances that the block's parent leaves behind
 * @param rules payout policy and settlement input
 * @param need what it needs of a reward window
 * @param witnessLeavesHex witness ids of the template's transactions
 */
record BuildPlan(
        BundleRequest request,
        BuildKey key,
        PublishedPayout payout,
        List<PriorBalance> balances,
        BuildInputs rules,
        WindowNeed need,
        List<String> witnessLeavesHex) {

    BundleMode mode() {
        return key.mode();
    }

    FlightKey flightKey() {
        return new FlightKey(
                mode(),
                CacheKey.of(key),
                key,
                new BuildKey(
                        key.template(),
                        key.payout(),
                        key.rules(),
                        BundleMode.READY,
                        Optional.empty(),
                        key.issuedAtMs(),
                        Optional.empty()),
                key.identity());
    }
}
