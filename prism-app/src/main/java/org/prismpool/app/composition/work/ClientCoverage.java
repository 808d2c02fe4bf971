package org.prismpool.app.composition.work;

import java.util.Optional;
import org.prismpool.delivery.CoverageView;
import org.prismpool.delivery.JobDelivery;
import org.prismpool.lifecycle.health.ClientCountPort;
import org.prismpool.lifecycle.health.ClientCounts;
import org.prismpool.stratum.JobContext;

/** Counts connections that still need the current work. */
public record ClientCoverage(JobDelivery<PoolWork, Optional<JobContext>> delivery) implements ClientCountPort {

    @Override
    public ClientCounts count(String templateFingerprint, long payoutGeneration) {
        CoverageView coverage = delivery.coverage();
        return new ClientCounts(coverage.eligible(), Math.min(coverage.eligible(), coverage.requiringRefresh()));
    }
}
