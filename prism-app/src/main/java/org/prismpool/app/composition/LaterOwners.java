package org.prismpool.app.composition;

import org.prismpool.app.composition.work.Later;
import org.prismpool.app.composition.work.PoolWork;
import org.prismpool.bundle.BundleService;
import org.prismpool.payout.state.PreparedWindows;
import org.prismpool.refresh.TipRefresher;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.block.CandidateLane;

/**
 * The owners that refer to each other in a circle; each is set once, by the part that builds it.
 *
 * @param windows set by {@link PayoutParts}
 * @param bundles set by {@link WorkParts}
 * @param refresher set by {@link WorkParts}
 * @param lane set by {@link BlockParts}
 */
record LaterOwners(
        Later<PreparedWindows> windows,
        Later<BundleService> bundles,
        Later<TipRefresher<TemplateObservation, PoolWork>> refresher,
        Later<CandidateLane> lane) {

    static LaterOwners unset() {
        return new LaterOwners(
                new Later<>("the prepared windows"),
                new Later<>("the bundle service"),
                new Later<>("the tip refresher"),
                new Later<>("the candidate lane"));
    }
}
