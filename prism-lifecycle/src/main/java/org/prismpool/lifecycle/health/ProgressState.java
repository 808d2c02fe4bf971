package org.prismpool.lifecycle.health;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known of work and its way to the miners, and how events change it (spec 08 section 5.2). Holds no clock and no
 * lock: confined to the lock of {@link ProgressHealth}.
 */
final class ProgressState {

    private final long startNanos;
    private final Map<Long, Long> builds = new HashMap<>(); // token -> start
    private WorkGeneration current = WorkGeneration.NONE;
    private Optional<WorkGeneration> published = Optional.empty();
    private OptionalLong tipPollNanos = OptionalLong.empty();
    private Optional<DeliveryProof> lastDelivery = Optional.empty();
    private OptionalLong pendingSince;
    private OptionalLong divergenceSince;
    private boolean refreshSignal;
    private int activeRefreshes;
    private long refreshActivityNanos;
    private long nextToken = 1;

    ProgressState(long startNanos) {
        this.startNanos = startNanos;
        this.pendingSince = OptionalLong.of(startNanos);
        this.divergenceSince = OptionalLong.of(startNanos);
    }

    void tipObserved(WorkGeneration work, long nanos) {
        if (work.templateGeneration() < current.templateGeneration()) {
            return;
        }
        current = new WorkGeneration(
                work.templateGeneration(),
                work.templateFingerprint(),
                Math.max(work.payoutGeneration(), current.payoutGeneration()));
        tipPollNanos = OptionalLong.of(nanos);
        if (publishedCurrent()) {
            published = Optional.of(latest(current)); // same content seen again: no delivery is owed
            if (!refreshSignal) {
                divergenceSince = OptionalLong.empty(); // a tip that went away and came back is published
            }
        } else {
            open(nanos);
        }
    }

    void payoutInvalidated(long generation, long nanos) {
        if (generation < current.payoutGeneration()) {
            return;
        }
        current = new WorkGeneration(current.templateGeneration(), current.templateFingerprint(), generation);
        if (!publishedCurrent()) {
            open(nanos);
            refreshSignal = true;
        }
    }

    void refreshPending(long nanos) {
        open(nanos);
        refreshSignal = true;
    }

    boolean published(WorkGeneration work, boolean matchesLatestTip) {
        if (published.isPresent()
                && (work.templateGeneration() < published.get().templateGeneration()
                        || work.payoutGeneration() < published.get().payoutGeneration())) {
            return false;
        }
        published = Optional.of(work);
        if (matchesLatestTip && work.sameContent(current)) {
            refreshSignal = false;
            divergenceSince = OptionalLong.empty();
        }
        return true;
    }

    boolean delivered(DeliveryProof proof, boolean readyRequired, boolean matchesLatestTip) {
        if (!proof.work().sameContent(current) || (readyRequired && proof.collectionOnly())) {
            return false;
        }
        lastDelivery = Optional.of(proof);
        published = Optional.of(latest(proof.work()));
        refreshSignal = false;
        if (matchesLatestTip) {
            divergenceSince = OptionalLong.empty();
        }
        return true;
    }

    void refreshStarted(long nanos) {
        activeRefreshes++;
        refreshActivityNanos = nanos;
    }

    void refreshActivity(long nanos) {
        if (activeRefreshes > 0) {
            refreshActivityNanos = nanos;
        }
    }

    void refreshFinished(long nanos) {
        refreshActivityNanos = nanos;
        activeRefreshes--;
    }

    long buildStarted(long nanos) {
        long token = nextToken++;
        builds.put(token, nanos);
        return token;
    }

    void buildFinished(long token) {
        builds.remove(token);
    }

    /** Opens or closes the pending clock by what is owed now. */
    void reconcile(int clientsRequiringRefresh, long nanos) {
        boolean required = refreshSignal || !publishedCurrent() || clientsRequiringRefresh > 0;
        if (!required) {
            pendingSince = OptionalLong.empty();
        } else if (pendingSince.isEmpty()) {
            pendingSince = OptionalLong.of(nanos);
        }
    }

    boolean publishedCurrent() {
        return published.map(current::sameContent).orElse(false);
    }

    boolean everPublished() {
        return published.isPresent();
    }

    boolean refreshSignal() {
        return refreshSignal;
    }

    WorkGeneration current() {
        return current;
    }

    WorkGeneration published() {
        return published.orElse(WorkGeneration.NONE);
    }

    OptionalLong divergenceSince() {
        return divergenceSince;
    }

    OptionalLong pendingSince() {
        return pendingSince;
    }

    long tipPollSince() {
        return tipPollNanos.orElse(startNanos);
    }

    boolean refreshing() {
        return activeRefreshes > 0;
    }

    long refreshActivityNanos() {
        return refreshActivityNanos;
    }

    OptionalLong currentDeliveryNanos() {
        return lastDelivery.filter(proof -> proof.work().sameContent(current)).isPresent()
                ? OptionalLong.of(lastDelivery.get().deliveredNanos())
                : OptionalLong.empty();
    }

    OptionalLong oldestBuildNanos() {
        return builds.values().stream().mapToLong(Long::longValue).min();
    }

    /** The content of some work under the highest template generation published so far. */
    private WorkGeneration latest(WorkGeneration work) {
        long highest = Math.max(work.templateGeneration(), published().templateGeneration());
        return new WorkGeneration(highest, work.templateFingerprint(), work.payoutGeneration());
    }

    private void open(long nanos) {
        if (pendingSince.isEmpty() || nanos - pendingSince.getAsLong() < 0) {
            pendingSince = OptionalLong.of(nanos);
        }
        if (divergenceSince.isEmpty() || nanos - divergenceSince.getAsLong() < 0) {
            divergenceSince = OptionalLong.of(nanos);
        }
    }
}
