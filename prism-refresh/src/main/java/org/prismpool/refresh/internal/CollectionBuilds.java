package org.prismpool.refresh.internal;

import java.util.ArrayList;
import java.util.List;
import org.prismpool.refresh.FanoutOrder;
import org.prismpool.refresh.FanoutTarget;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.TemplateSnapshot;
import org.prismpool.refresh.WorkBuilder;
import org.prismpool.refresh.WorkIdentity;
import org.prismpool.refresh.WorkMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker-specific bundles of a collecting pool, built one after another with nothing locked (spec 07 §3.9). Owner's
 * thread.
 */
final class CollectionBuilds<T, W> {

    private static final Logger LOG = LoggerFactory.getLogger("org.prismpool.refresh.TipRefresher");

    private final WorkBuild<T, W> build;
    private final NodeCalls<T, W> calls;

    CollectionBuilds(WorkBuild<T, W> build, NodeCalls<T, W> calls) {
        this.build = build;
        this.calls = calls;
    }

    /**
     * What was built.
     *
     * @param items one delivery for each target whose build succeeded
     * @param failed targets whose build failed
     */
    record Bundles<T, W>(List<FanoutOrder.Item<T, W>> items, int failed) {}

    Bundles<T, W> build(
            Attempt attempt, TemplateSnapshot<T> snapshot, List<FanoutTarget> targets, PayoutAuthority payout) {
        List<FanoutOrder.Item<T, W>> items = new ArrayList<>();
        int failed = 0;
        for (FanoutTarget target : targets) {
            calls.checkpoint(attempt.deadline());
            WorkBuilder.BuildAnswer<T, W> answer = build.collection(attempt, snapshot, target.connectionId());
            if (answer instanceof WorkBuilder.Built<T, W> built) {
                requireExpected(built.work().identity(), snapshot, payout);
                items.add(new FanoutOrder.Item<>(target, built.work()));
            } else if (answer instanceof WorkBuilder.NotBuilt<T, W> refused) {
                switch (refused.kind()) {
                    case BLOCKED -> {
                        failed++;
                        LOG.atWarn()
                                .addKeyValue("connection", target.connectionId())
                                .addKeyValue("reason", refused.reason())
                                .log("collection build failed");
                    }
                    case SUPERSEDED, PAYOUT_PENDING, PHASE_TIMEOUT, SHUTDOWN ->
                        throw build.stopFor(refused, attempt.deadline());
                }
            }
        }
        return new Bundles<>(items, failed);
    }

    private static void requireExpected(WorkIdentity identity, TemplateSnapshot<?> snapshot, PayoutAuthority payout) {
        if (identity.mode() != WorkMode.COLLECTION || !identity.isBuiltFrom(snapshot)) {
            throw RefreshStop.superseded("collection work is for another snapshot");
        }
        if (identity.payoutGeneration() != payout.generation()) {
            throw RefreshStop.superseded("collection work pays another generation");
        }
    }
}
