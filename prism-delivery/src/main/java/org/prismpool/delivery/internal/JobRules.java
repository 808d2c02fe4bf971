package org.prismpool.delivery.internal;

import java.util.Optional;
import org.prismpool.delivery.CurrentState;
import org.prismpool.delivery.Generations;
import org.prismpool.delivery.IssuedJob;
import org.prismpool.delivery.WorkKey;
import org.prismpool.delivery.WorkQuery;

/** Which job replaces which, as pure functions (spec 07 §3.6, §7.4, §7.8). */
final class JobRules {

    private JobRules() {}

    /**
     * Tells whether a connection needs the queried work.
     *
     * @param active job that it works on
     * @param delivered job whose bytes it got last
     */
    static boolean needsWork(Optional<WorkKey> active, Optional<WorkKey> delivered, WorkQuery query) {
        if (active.isEmpty()) {
            return true;
        }
        WorkKey job = active.get();
        if (query.epoch().isPresent()) {
            CurrentState.Epoch epoch = query.epoch().get();
            if (job.epoch() > epoch.sequence()) {
                return false;
            }
            if (job.epoch() < epoch.sequence() || !job.tip().equals(epoch.tip())) {
                return true;
            }
        }
        return differs(job, query) || (query.epoch().isPresent() && undelivered(delivered, query));
    }

    private static boolean differs(WorkKey job, WorkQuery query) {
        return (job.collection() && query.ready())
                || !job.tip().equals(query.tip())
                || !job.fingerprint().equals(query.fingerprint())
                || job.payoutGeneration() != query.payout().generation()
                || query.payout()
                        .digest()
                        .filter(digest -> !digest.equals(job.payoutDigest()))
                        .isPresent()
                || (!job.collection() && job.appendEpoch() != query.payout().appendEpoch());
    }

    private static boolean undelivered(Optional<WorkKey> delivered, WorkQuery query) {
        CurrentState.Epoch epoch = query.epoch().orElseThrow();
        return delivered
                .filter(key -> key.epoch() == epoch.sequence()
                        && key.tip().equals(epoch.tip())
                        && key.payoutGeneration() == epoch.payoutGeneration()
                        && key.fingerprint().equals(query.fingerprint())
                        && !(key.collection() && query.ready()))
                .isEmpty();
    }

    /** The only rule for the clean flag of work that replaces other work; some causes are clean whatever it says. */
    static boolean clean(Optional<WorkKey> active, WorkKey next) {
        if (active.isEmpty()) {
            return true;
        }
        WorkKey old = active.get();
        boolean digestsKnown =
                !old.payoutDigest().isEmpty() && !next.payoutDigest().isEmpty();
        return !old.tip().equals(next.tip())
                || old.payoutGeneration() != next.payoutGeneration()
                || (digestsKnown && !old.payoutDigest().equals(next.payoutDigest()))
                || (!old.collection() && !next.collection() && old.appendEpoch() != next.appendEpoch());
    }

    /**
     * Tells whether a fan-out must leave a connection alone because somebody gave it equally new work meanwhile.
     *
     * @param captured id of its job at selection
     * @param active its job now
     * @param work the fan-out's work
     * @param payoutGeneration current payout generation
     * @param epochMode whether epochs order jobs
     */
    static boolean intervened(
            Optional<String> captured,
            Optional<? extends IssuedJob<?>> active,
            WorkKey work,
            long payoutGeneration,
            boolean epochMode) {
        if (active.isEmpty() || captured.filter(active.get().id()::equals).isPresent()) {
            return false;
        }
        WorkKey now = active.get().key();
        return now.payoutGeneration() >= payoutGeneration
                && now.tip().equals(work.tip())
                && now.templateGeneration() >= work.templateGeneration()
                && (!epochMode || now.epoch() >= work.epoch());
    }

    /** Exact coverage: the job is the published work itself. */
    static boolean isPublishedWork(WorkKey job, CurrentState state) {
        return state.published()
                        .filter(published -> published.tip().equals(job.tip())
                                && published.fingerprint().equals(job.fingerprint())
                                && published.templateGeneration() == job.templateGeneration())
                        .isPresent()
                && job.payoutGeneration() == state.payout().generation();
    }

    /** Whether a connection's job is exactly the published work, issued to its present life. */
    static boolean holdsPublishedWork(
            Optional<? extends IssuedJob<?>> job, Generations generations, CurrentState state) {
        return job.filter(known -> known.generations().equals(generations) && isPublishedWork(known.key(), state))
                .isPresent();
    }

    /** Loose coverage: same fingerprint and payout generation. */
    static boolean isSemanticallyCurrent(WorkKey job, CurrentState state) {
        return state.published()
                        .filter(published -> published.fingerprint().equals(job.fingerprint()))
                        .isPresent()
                && job.payoutGeneration() == state.payout().generation();
    }

    /**
     * Tells whether work may be committed while some tip is published.
     *
     * @param liveValidated whether the node confirmed the tip, or a fan-out's token stands for that
     */
    static boolean tipAllows(WorkKey work, CurrentState state, boolean liveValidated) {
        if (state.published().isEmpty()) {
            return true;
        }
        return state.authoritative() ? state.published().get().tip().equals(work.tip()) : liveValidated;
    }
}
