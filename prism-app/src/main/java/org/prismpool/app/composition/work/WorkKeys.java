package org.prismpool.app.composition.work;

import java.util.Optional;
import org.prismpool.bundle.WorkBundle;
import org.prismpool.delivery.CurrentState;
import org.prismpool.delivery.PreparedWork;
import org.prismpool.delivery.WorkKey;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.RefreshEpoch;
import org.prismpool.refresh.TipRefresher;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.templates.TemplateObservation;

/** The refresher's identities of work, in the words of delivery. Stateless. */
final class WorkKeys {

    private WorkKeys() {}

    /** Names a bundle for delivery, with the epoch that the refresher gives it. */
    static PreparedWork<PoolWork> prepared(PoolWork work, TipRefresher<TemplateObservation, PoolWork> refresher) {
        WorkBundle bundle = work.bundle();
        WorkKey key = new WorkKey(
                bundle.template().parent().displayHex(),
                bundle.template().fingerprint().hex(),
                bundle.template().generation(),
                bundle.payoutGeneration(),
                bundle.payoutDigest(),
                bundle.appendEpoch(),
                bundle.collectionOnly(),
                refresher.epochOf(BundleWork.identity(bundle)));
        return new PreparedWork<>(key, work);
    }

    static CurrentState.Payout payout(PayoutAuthority payout) {
        return new CurrentState.Payout(payout.generation(), payout.digest(), payout.appendEpoch());
    }

    static Optional<CurrentState.Epoch> epoch(Optional<RefreshEpoch> epoch) {
        return epoch.map(e -> new CurrentState.Epoch(e.sequence(), e.tip().displayHex(), e.payoutGeneration()));
    }

    /** One consistent picture for the checks of a commit. */
    static CurrentState current(
            WorkAuthority<TemplateObservation, PoolWork> authority,
            boolean authoritative,
            PayoutAuthority payout,
            boolean ready,
            boolean epochMode) {
        Optional<CurrentState.Published> published = authority
                .work()
                .map(work -> new CurrentState.Published(
                        work.snapshot().parent().displayHex(),
                        work.snapshot().fingerprint(),
                        work.snapshot().generation()));
        return new CurrentState(
                published,
                authoritative,
                authority.detected().map(tip -> tip.hash().displayHex()),
                payout(payout),
                ready,
                epochMode ? epoch(authority.epoch()) : Optional.empty());
    }
}
