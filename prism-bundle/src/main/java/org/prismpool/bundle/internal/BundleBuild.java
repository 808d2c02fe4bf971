package org.prismpool.bundle.internal;

import java.util.List;
import java.util.Optional;
import org.prismpool.bundle.BuildKey;
import org.prismpool.bundle.BuildPhase;
import org.prismpool.bundle.BundleException;
import org.prismpool.bundle.BundleFailure;
import org.prismpool.bundle.BundleMode;
import org.prismpool.bundle.BundlePorts;
import org.prismpool.bundle.WorkBundle;
import org.prismpool.bundle.compile.CompileProgress;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.BlockTerms;
import org.prismpool.payout.audit.JobSummary;
import org.prismpool.payout.finalization.IntentWork;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.state.PayoutSnapshot;
import org.prismpool.payout.state.PreparedWindow;
import org.prismpool.payout.state.ProspectiveBalances;
import org.prismpool.payout.state.WindowRead;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.WindowDigest;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.job.CoinbaseSplit;

/** The steps of one build on a build thread (spec 07 §4.7). Stateless apart from its ports. */
final class BundleBuild {

    private final BundlePorts ports;
    private final ArtifactCheck check;
    private final MonotonicClock clock;

    BundleBuild(BundlePorts ports, ArtifactCheck check, MonotonicClock clock) {
        this.ports = ports;
        this.check = check;
        this.clock = clock;
    }

    /** A finished bundle with the window that it was read from, still exposed until it is installed or dead. */
    record Built(WorkBundle bundle, BuildPlan plan, Optional<WindowRead> freshWindow) {}

    private record Shares(List<WindowShare> shares, long anchorMs, String digest, long epoch, long generation) {}

    Built build(BuildPlan plan, BuildControl control) {
        recheck(plan, control);
        Optional<WindowRead> fresh = Optional.empty();
        boolean keep = false;
        try {
            long started = clock.nanoTime();
            control.checkpoint("ledger_snapshot");
            Shares shares;
            if (plan.mode() == BundleMode.COLLECTION) {
                shares = synthetic(plan);
            } else {
                Optional<PreparedWindow> prepared = ports.windows().serving(plan.need());
                fresh = prepared.isPresent() ? Optional.empty() : Optional.of(readWindow(plan, control));
                shares = ready(
                        prepared.isPresent()
                                ? prepared.get()
                                : fresh.orElseThrow().window());
            }
            ports.metrics().phase(BuildPhase.LEDGER_SNAPSHOT, clock.nanoTime() - started);
            control.checkpoint("ledger_snapshot_complete");
            Built built = new Built(assemble(plan, shares, control), plan, fresh);
            keep = true;
            return built;
        } finally {
            if (!keep) {
                fresh.ifPresent(WindowRead::close);
            }
        }
    }

    private WindowRead readWindow(BuildPlan plan, BuildControl control) {
        return ports.windows().read(plan.need(), plan.key().issuedAtMs(), control.deadline());
    }

    private Shares ready(PreparedWindow window) {
        if (window.shares().isEmpty()) {
            throw new BundleException(
                    BundleFailure.BLOCKED,
                    "ledger_snapshot",
                    "no eligible shares at or before job issue time " + window.anchorMs());
        }
        return new Shares(
                window.shares(), window.anchorMs(), window.digest(), window.appendEpoch(), window.generation());
    }

    private static Shares synthetic(BuildPlan plan) {
        List<WindowShare> shares = List.of(SyntheticShare.of(
                plan.key().identity().orElseThrow(),
                plan.request().template().template().terms(),
                plan.need().networkDifficulty(),
                plan.key().issuedAtMs()));
        return new Shares(shares, plan.key().issuedAtMs(), WindowDigest.of(shares), 0, 0);
    }

    private WorkBundle assemble(BuildPlan plan, Shares shares, BuildControl control) {
        TemplateObservation template = plan.request().template();
        var terms = template.template().terms();
        FoundBlock block = new FoundBlock(
                terms.height(), terms.coinbaseValueSats(), plan.need().networkDifficulty(), shares.anchorMs());
        boolean collection = plan.mode() == BundleMode.COLLECTION;
        List<PriorBalance> prior = collection ? List.of() : plan.balances();
        BlockTerms inputTerms = new BlockTerms(
                block,
                prior,
                plan.rules().payoutPolicy(),
                Optional.of(plan.key().rules().coinbaseSuffixHex()),
                plan.witnessLeavesHex(),
                plan.rules().ctvSettlement());
        JobSummary job = ports.compiler()
                .compile(
                        new AuditBuildInput(shares.shares(), inputTerms),
                        control.deadline(),
                        control.signal(),
                        progress(control));
        CoinbaseSplit split = check.check(job, block);
        control.checkpoint("bundle_assembly");
        long started = clock.nanoTime();
        List<PriorBalance> prospective = ProspectiveBalances.after(
                plan.balances(), job.payoutPolicyManifest().accounts());
        IntentWork inputs = new IntentWork(
                shares.shares(),
                prior,
                block,
                Optional.of(prospective),
                plan.witnessLeavesHex(),
                Optional.of(plan.rules()),
                collection);
        BuildKey key = finalKey(plan, shares, control);
        WorkBundle bundle = new WorkBundle(
                key, template, template.work(split), job.signedCoinbaseManifest(), inputs, clock.nanoTime());
        ports.metrics().phase(BuildPhase.SERIALIZATION_COPY, clock.nanoTime() - started);
        return bundle;
    }

    /** The final fence: a window that lost a row since it was read serves nobody. */
    private BuildKey finalKey(BuildPlan plan, Shares shares, BuildControl control) {
        recheck(plan, control);
        BuildKey key = plan.key().withShares(shares.digest());
        if (plan.mode() == BundleMode.COLLECTION) {
            return key;
        }
        long live = ports.payout().appends().epoch();
        if (!ports.payout().appends().survives(shares.anchorMs(), shares.epoch())) {
            throw new BundleException(
                    BundleFailure.SUPERSEDED, "bundle_publication", "a share row appeared below the window's anchor");
        }
        return new BuildKey(
                key.template(),
                new BuildKey.Payout(key.payout().generation(), key.payout().digest(), live, shares.generation()),
                key.rules(),
                key.mode(),
                key.identity(),
                key.issuedAtMs(),
                key.shareSnapshotSha256());
    }

    private void recheck(BuildPlan plan, BuildControl control) {
        control.checkpoint("bundle_publication");
        PayoutSnapshot now = ports.payout().snapshot();
        boolean same = now.published().generation() == plan.payout().generation()
                && now.published()
                        .artifact()
                        .digest()
                        .equals(plan.payout().artifact().digest());
        if (!same) {
            throw new BundleException(BundleFailure.SUPERSEDED, "bundle_publication", "payout generation superseded");
        }
    }

    private CompileProgress progress(BuildControl control) {
        return new CompileProgress() {
            @Override
            public void checkpoint(String checkpoint) {
                control.checkpoint(checkpoint);
            }

            @Override
            public void phase(BuildPhase phase, long nanos) {
                ports.metrics().phase(phase, nanos);
            }
        };
    }
}
