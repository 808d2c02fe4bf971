package org.prismpool.app.composition;

import java.util.Optional;
import org.prismpool.lifecycle.health.RefreshDriverState;
import org.prismpool.refresh.RefreshStatus;
import org.prismpool.templates.chain.Hash256;

/** State of the refresh driver as health shows it. Stateless. */
final class DriverStates {

    private DriverStates() {}

    static RefreshDriverState of(Optional<PoolOwners> pool) {
        return pool.map(owners -> of(owners.work.refresher.status())).orElseGet(RefreshDriverState::idle);
    }

    private static RefreshDriverState of(RefreshStatus status) {
        return new RefreshDriverState(
                status.phase().wireName(),
                status.tip().map(Hash256::displayHex),
                status.generation(),
                instant(status.phaseStarted()),
                status.blockedPhaseSeconds(),
                status.lastPoll().map(DriverStates::instant),
                status.lastRefresh().map(DriverStates::instant),
                status.helperPid(),
                status.newestPendingGeneration());
    }

    private static RefreshDriverState.Instant instant(RefreshStatus.Stamp stamp) {
        return new RefreshDriverState.Instant(stamp.monotonicSeconds(), stamp.unixSeconds());
    }
}
