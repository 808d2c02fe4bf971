package org.prismpool.refresh.internal;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.refresh.BuiltWork;
import org.prismpool.refresh.FanoutOrder;
import org.prismpool.refresh.FanoutReport;
import org.prismpool.refresh.FanoutTarget;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.PublishedTip;
import org.prismpool.refresh.RefreshPhase;
import org.prismpool.refresh.RetainedCollection;
import org.prismpool.refresh.TargetQuery;
import org.prismpool.refresh.TemplateFeed;
import org.prismpool.refresh.TemplateSnapshot;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.refresh.WorkMode;

/** One pass, in the order of spec 07 §3.4. Owner's thread; ends normally or with a {@link RefreshStop}. */
final class RefreshPass<T, W> {

    private final RefreshCore<T, W> core;
    private final TipObserver<T, W> observer;
    private final NodeCalls<T, W> calls;
    private final WorkBuild<T, W> build;
    private final Publication<T, W> publication;
    private final FanoutStep<T, W> fanout;
    private final CollectionBuilds<T, W> collection;

    RefreshPass(RefreshCore<T, W> core, TipObserver<T, W> observer, NodeCalls<T, W> calls) {
        this.core = core;
        this.observer = observer;
        this.calls = calls;
        this.build = new WorkBuild<>(core);
        this.publication = new Publication<>(core, calls, observer);
        this.fanout = new FanoutStep<>(core, calls);
        this.collection = new CollectionBuilds<>(build, calls);
    }

    /** What the first half of a pass found out. */
    private record Plan<T>(
            TemplateSnapshot<T> snapshot, boolean ready, boolean changed, TargetSet targets, PayoutAuthority payout) {}

    /**
     * Runs the pass.
     *
     * @param prewarm true to build and publish ready work although nobody is there yet
     */
    void run(Attempt attempt, PassState state, boolean prewarm) {
        core.phases.working(attempt.probed(), attempt.sequence());
        core.tell("refreshStarted", () -> core.companions.listener().refreshStarted());
        try {
            Claim claim = new Claim(attempt);
            Plan<T> plan = plan(attempt, claim);
            state.ready(plan.ready());
            if (!plan.changed() && plan.targets().isEmpty() && !(prewarm && plan.ready())) {
                complete(attempt, state, plan, claim);
            } else if (plan.ready() && (prewarm || !plan.targets().isEmpty())) {
                prepared(attempt, state, plan, claim);
            } else {
                unprepared(attempt, state, plan, claim);
            }
        } finally {
            core.tell("refreshFinished", () -> core.companions.listener().refreshFinished());
        }
    }

    private Plan<T> plan(Attempt attempt, Claim claim) {
        PayoutAuthority payout = core.payout();
        try (ReconcileJoin<T, W> reconcile = new ReconcileJoin<>(core, calls, attempt.probed())) {
            core.phases.enter(RefreshPhase.TEMPLATE_RPC);
            TemplateSnapshot<T> snapshot = fetch(attempt);
            core.phases.polled();
            core.tell("polled", () -> core.companions.listener().polled(snapshot, payout.generation()));
            core.phases.enter(RefreshPhase.CLIENT_SELECTION);
            calls.checkpoint(attempt.deadline());
            boolean ready = calls.run(
                    "readiness",
                    attempt.deadline(),
                    deadline -> core.companions.readiness().ready(attempt.deadline()));
            boolean changed = changed(snapshot);
            TargetSet targets = new TargetSet();
            targets.add(select(snapshot, payout, ready), changed);
            publication.requireUnmoved(snapshot);
            core.phases.enter(RefreshPhase.REORG_RECONCILIATION);
            reconcile.require(snapshot.parent(), attempt.deadline());
            calls.checkpoint(attempt.deadline());
            return reselected(new Plan<>(snapshot, ready, changed, targets, payout), claim);
        }
    }

    /** Other work than what is published; in epoch mode also the same work under a newer epoch. */
    private boolean changed(TemplateSnapshot<T> snapshot) {
        WorkAuthority<T, W> seen = core.authority.get();
        return seen.work()
                .map(work -> snapshot.differsInWork(work.snapshot())
                        || (core.epochMode() && work.epoch() != seen.epochSequence()))
                .orElse(true);
    }

    /** A payout generation that moved meanwhile means other targets, and a token of our own again. */
    private Plan<T> reselected(Plan<T> plan, Claim claim) {
        PayoutAuthority payout = core.payout();
        List<FanoutTarget> selection = select(plan.snapshot(), payout, plan.ready());
        if (payout.generation() == plan.payout().generation()) {
            plan.targets().add(selection, plan.changed());
            return plan;
        }
        claim.renew();
        plan.targets().reset(selection, plan.changed());
        return new Plan<>(plan.snapshot(), plan.ready(), plan.changed(), plan.targets(), payout);
    }

    private TemplateSnapshot<T> fetch(Attempt attempt) {
        TemplateFeed.Answer<T> answer = calls.run(
                "template",
                attempt.deadline(),
                deadline -> core.ports.templates().coherent(attempt.probed(), deadline));
        if (answer instanceof TemplateFeed.Diverged<T> diverged) {
            observer.observe(diverged.bestHash(), core.reserveSequence(), true);
            throw RefreshStop.superseded("the tip moved during the template fetch");
        }
        if (answer instanceof TemplateFeed.Unusable<T> unusable) {
            throw RefreshStop.blocked("unable to derive exact artifacts: " + unusable.reason());
        }
        TemplateSnapshot<T> snapshot = ((TemplateFeed.Coherent<T>) answer).snapshot();
        if (!observer.observe(snapshot.parent(), attempt.sequence(), false)) {
            throw RefreshStop.superseded("a newer tip was detected during the template fetch");
        }
        return snapshot;
    }

    private void prepared(Attempt attempt, PassState state, Plan<T> plan, Claim claim) {
        TemplateSnapshot<T> snapshot = plan.snapshot();
        core.phases.enter(RefreshPhase.BUNDLE_CONSTRUCTION);
        publication.requireUnmoved(snapshot);
        BuiltWork<T, W> bundle = build.ready(attempt, snapshot);
        if (bundle.identity().mode() != WorkMode.READY || !bundle.carries(snapshot)) {
            throw RefreshStop.blocked("the builder returned work for another snapshot");
        }
        PayoutAuthority payout = adopted(bundle, plan, claim);
        core.phases.enter(RefreshPhase.PUBLICATION);
        Publication.Published<T, W> published = publication.publish(attempt, snapshot, Optional.of(bundle), payout);
        state.publishedNow();
        TargetSet.Remaining remaining = plan.targets().remaining(select(snapshot, payout, true));
        countPublication(snapshot, payout);
        core.phases.enter(RefreshPhase.JOB_FANOUT);
        countLeftOut(attempt, remaining);
        fanout.run(
                attempt,
                state,
                published,
                remaining.kept().stream()
                        .map(target -> new FanoutOrder.Item<>(target, bundle))
                        .toList(),
                false);
        complete(attempt, state, plan, claim, payout);
    }

    /** A bundle of a newer payout generation is taken over only if that generation is the published one, exactly. */
    private PayoutAuthority adopted(BuiltWork<T, W> bundle, Plan<T> plan, Claim claim) {
        PayoutAuthority payout = core.payout();
        if (!payout.agreesWith(bundle.identity())) {
            throw RefreshStop.superseded("the payout state moved during the build");
        }
        if (payout.generation() != plan.payout().generation()) {
            claim.renew();
            plan.targets().reset(select(plan.snapshot(), payout, true), true);
        }
        return payout;
    }

    private void unprepared(Attempt attempt, PassState state, Plan<T> plan, Claim claim) {
        TemplateSnapshot<T> snapshot = plan.snapshot();
        PayoutAuthority payout = plan.payout();
        core.phases.enter(RefreshPhase.PUBLICATION);
        Publication.Published<T, W> published = publication.publish(attempt, snapshot, Optional.empty(), payout);
        state.publishedNow();
        TargetSet.Remaining remaining = plan.targets().remaining(select(snapshot, payout, plan.ready()));
        if (plan.ready() && !remaining.kept().isEmpty()) {
            core.demand();
            throw RefreshStop.blocked("the pool became ready while collection work was published");
        }
        if (plan.targets().nobodyEligible()) {
            countPublication(snapshot, payout);
            retain(plan, published);
        }
        core.phases.enter(RefreshPhase.BUNDLE_CONSTRUCTION);
        CollectionBuilds.Bundles<T, W> bundles = collection.build(attempt, snapshot, remaining.kept(), payout);
        core.phases.enter(RefreshPhase.JOB_FANOUT);
        countLeftOut(attempt, remaining);
        fanout.run(attempt, state, published, bundles.items(), true);
        if (state.sent() == 0 && bundles.failed() > 0) {
            throw RefreshStop.blocked("every collection build failed");
        }
        complete(attempt, state, plan, claim, payout);
    }

    private void retain(Plan<T> plan, Publication.Published<T, W> published) {
        if (!plan.ready()) {
            RetainedCollection retained = new RetainedCollection(
                    plan.snapshot(),
                    published.fence().token().observationSequence(),
                    published.fence().token().payoutGeneration());
            core.authority.update(seen -> Retention.retain(seen, retained));
        }
    }

    private void complete(Attempt attempt, PassState state, Plan<T> plan, Claim claim) {
        complete(attempt, state, plan, claim, plan.payout());
    }

    /** The completion fence: what was done is still the newest, so the pending token may go. */
    private void complete(Attempt attempt, PassState state, Plan<T> plan, Claim claim, PayoutAuthority expected) {
        if (state.wantsRetry()) {
            core.retry.arm();
            return;
        }
        boolean cleared = publication.admitted(
                expected.generation(),
                attempt.deadline(),
                Optional.empty(),
                payout -> payout.agrees(expected)
                        && !plan.snapshot().differsInWork(currentSnapshot(plan.snapshot()))
                        && !core.authority.get().diverged()
                        && core.pending.clear(claim.number));
        if (!cleared) {
            throw RefreshStop.superseded("something newer is pending");
        }
        core.authority.update(RefreshPass::withoutDivergence);
    }

    private TemplateSnapshot<?> currentSnapshot(TemplateSnapshot<T> otherwise) {
        Optional<TemplateSnapshot<T>> current = core.authority.get().work().map(work -> work.snapshot());
        return current.orElse(otherwise);
    }

    private static <T, W> WorkAuthority<T, W> withoutDivergence(WorkAuthority<T, W> seen) {
        if (seen.divergenceNanos().isEmpty() || seen.diverged()) {
            return seen;
        }
        return new WorkAuthority<>(
                seen.detected(),
                seen.detectionEpoch(),
                seen.published(),
                OptionalLong.empty(),
                seen.work(),
                seen.epoch(),
                seen.fanout(),
                seen.retainedCollection());
    }

    private void countPublication(TemplateSnapshot<T> snapshot, PayoutAuthority payout) {
        boolean latest = !core.authority.get().diverged();
        core.tell(
                "publicationCounted",
                () -> core.companions.listener().publicationCounted(snapshot, payout.generation(), latest));
    }

    private void countLeftOut(Attempt attempt, TargetSet.Remaining remaining) {
        if (remaining.gone() + remaining.served() > 0) {
            FanoutReport report = new FanoutReport(
                    0,
                    remaining.served(),
                    remaining.gone(),
                    0,
                    0,
                    0,
                    FanoutReport.End.COMPLETE,
                    FanoutReport.Times.none());
            core.companions.metrics().fanout(report, attempt.startedNanos());
        }
    }

    private List<FanoutTarget> select(TemplateSnapshot<T> snapshot, PayoutAuthority payout, boolean ready) {
        return TargetSet.select(
                core,
                new TargetQuery(snapshot, payout, ready, core.authority.get().epoch()));
    }

    /** The pass's claim on the pending token. */
    private final class Claim {

        private long number;

        private Claim(Attempt attempt) {
            renew();
            boolean current = core.authority
                    .get()
                    .published()
                    .map(PublishedTip::hash)
                    .filter(attempt.probed()::equals)
                    .isPresent();
            if (!current) {
                number = core.pending.installUnlessNewer(number, core.now());
                core.tell("refreshPending", () -> core.companions.listener().refreshPending());
            }
        }

        private void renew() {
            number = core.pending.claim();
        }
    }
}
