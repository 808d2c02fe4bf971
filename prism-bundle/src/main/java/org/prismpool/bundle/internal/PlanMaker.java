package org.prismpool.bundle.internal;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.prismpool.bundle.BuildKey;
import org.prismpool.bundle.BundleConfig;
import org.prismpool.bundle.BundleException;
import org.prismpool.bundle.BundleFailure;
import org.prismpool.bundle.BundleIdentity;
import org.prismpool.bundle.BundleMode;
import org.prismpool.bundle.BundlePorts;
import org.prismpool.bundle.BundleRequest;
import org.prismpool.bundle.CollectionIdentity;
import org.prismpool.payout.finalization.BuildInputs;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.state.ParentBalances;
import org.prismpool.payout.state.PayoutSnapshot;
import org.prismpool.payout.state.PublishedPayout;
import org.prismpool.payout.state.WindowNeed;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.job.BlockTerms;
import org.prismpool.templates.job.CoinbaseScript;

/**
 * Turns a caller's request into an immutable plan (spec 07 §4.7): parent's balances first, then payout state, rules,
 * issue time and key. Runs on preparation threads and may block on its ports.
 */
final class PlanMaker {

    private static final String NUMERIC_CONTEXT = Sha256.hex("exact-integers-v1".getBytes(StandardCharsets.US_ASCII));

    private final BundlePorts ports;
    private final IssueTimes issueTimes;
    private final TemplateDigests digests = new TemplateDigests();
    private final String suffixHex;
    private final String manifestKeySha256;
    private final String ledgerKeySha256;

    PlanMaker(BundleConfig config, BundleIdentity identity, BundlePorts ports) {
        this.ports = ports;
        this.issueTimes = new IssueTimes(ports.wall()::cleanAnchorMs);
        this.suffixHex = HexFormat.of().formatHex(CoinbaseScript.tag(identity.coinbaseTag()))
                + "00".repeat(CoinbaseScript.EXTRANONCE1_SIZE + config.extranonce2Size());
        this.manifestKeySha256 = Sha256.hex(HexFormat.of().parseHex(identity.manifestPublicKeyHex()));
        this.ledgerKeySha256 = Sha256.hex(HexFormat.of().parseHex(identity.ledgerPublicKeyHex()));
    }

    BuildPlan plan(BundleRequest request, BuildControl control) throws InterruptedException {
        control.checkpoint("immutable snapshot");
        TemplateObservation template = request.template();
        if (!ports.conditions().buildable(template)) {
            throw new BundleException(BundleFailure.SUPERSEDED, "immutable snapshot", "the template is obsolete");
        }
        BundleMode mode = ports.conditions().poolReady() ? BundleMode.READY : BundleMode.COLLECTION;
        Optional<CollectionIdentity> identity = identity(request, mode);
        Optional<List<PriorBalance>> preview = parentBalances(template, control);
        PublishedPayout payout = openPayout();
        control.checkpoint("payout policy");
        BuildInputs rules = ports.policies().inputsFor(template, control.deadline(), control.signal());
        control.checkpoint("CTV configuration");
        U128 difficulty = U128.of(template.scaledNetworkDifficulty());
        long epoch = ports.payout().appends().epoch();
        WindowNeed need = new WindowNeed(difficulty, payout, epoch);
        TemplateDigests.Entry transactions = digests.of(template);
        BuildKey key = new BuildKey(
                templateKey(template, transactions),
                payoutKey(payout, mode, need),
                rulesKey(rules),
                mode,
                identity,
                issueTimes.of(template.generation()),
                Optional.empty());
        control.checkpoint("scheduler admission");
        return new BuildPlan(
                request,
                key,
                payout,
                preview.orElse(payout.artifact().balances()),
                rules,
                need,
                transactions.witnessLeavesHex());
    }

    /** Key of a cache lookup without admission; empty where planning would fail or wait. */
    Optional<CacheKey> probeKey(TemplateObservation template, Optional<CollectionIdentity> worker) {
        PayoutSnapshot now = ports.payout().snapshot();
        BundleMode mode = ports.conditions().poolReady() ? BundleMode.READY : BundleMode.COLLECTION;
        if (!now.open() || (mode == BundleMode.COLLECTION && worker.isEmpty())) {
            return Optional.empty();
        }
        WindowNeed need = need(template, now.published());
        BuildKey.Payout payout = payoutKey(now.published(), mode, need);
        return Optional.of(new CacheKey(
                template.fingerprint().hex(),
                template.parent(),
                mode,
                mode == BundleMode.READY ? 0 : template.generation(),
                payout.generation(),
                payout.windowGeneration(),
                mode == BundleMode.READY ? Optional.empty() : worker));
    }

    WindowNeed need(TemplateObservation template, PublishedPayout payout) {
        return new WindowNeed(
                U128.of(template.scaledNetworkDifficulty()),
                payout,
                ports.payout().appends().epoch());
    }

    /** Key of the same work on a newer observation of its template. */
    BuildKey rebind(BuildKey key, TemplateObservation newer) {
        return new BuildKey(
                templateKey(newer, digests.of(newer)),
                key.payout(),
                key.rules(),
                key.mode(),
                key.identity(),
                issueTimes.of(newer.generation()),
                key.shareSnapshotSha256());
    }

    private static Optional<CollectionIdentity> identity(BundleRequest request, BundleMode mode) {
        if (mode == BundleMode.READY) {
            return Optional.empty();
        }
        if (request.worker().isEmpty()) {
            throw new BundleException(
                    BundleFailure.IDENTITY_UNAVAILABLE,
                    "immutable snapshot",
                    "collection work needs a payout identity");
        }
        return request.worker();
    }

    private Optional<List<PriorBalance>> parentBalances(TemplateObservation template, BuildControl control)
            throws InterruptedException {
        BlockTerms terms = template.template().terms();
        ParentBalances parent = ports.payout()
                .parents()
                .balancesFor(terms.parent(), terms.height() - 1, control.deadline(), control.signal());
        if (parent instanceof ParentBalances.Preview preview) {
            return Optional.of(preview.balances());
        }
        if (parent instanceof ParentBalances.NotReady late) {
            throw new BundleException(BundleFailure.PAYOUT_PENDING, "immutable snapshot", late.reason());
        }
        if (parent instanceof ParentBalances.Blocked blocked) {
            throw new BundleException(BundleFailure.BLOCKED, "immutable snapshot", blocked.reason());
        }
        control.checkpoint("immutable snapshot");
        return Optional.empty();
    }

    private PublishedPayout openPayout() {
        PayoutSnapshot now = ports.payout().snapshot();
        if (now.fenced()) {
            throw new BundleException(
                    BundleFailure.PAYOUT_PENDING, "immutable snapshot", "the payout publication fence is closed");
        }
        return now.published();
    }

    private BuildKey.Template templateKey(TemplateObservation template, TemplateDigests.Entry transactions) {
        BlockTerms terms = template.template().terms();
        return new BuildKey.Template(
                terms.parent(),
                terms.parent(),
                template.fingerprint().hex(),
                template.generation(),
                terms.height(),
                terms.coinbaseValueSats(),
                template.scaledNetworkDifficulty(),
                transactions.witnessSha256(),
                transactions.transactionsSha256());
    }

    private BuildKey.Payout payoutKey(PublishedPayout payout, BundleMode mode, WindowNeed need) {
        boolean ready = mode == BundleMode.READY;
        return new BuildKey.Payout(
                payout.generation(),
                payout.artifact().digest(),
                ready ? need.appendEpoch() : 0,
                ready ? ports.windows().generationFor(need) : 0);
    }

    private BuildKey.Rules rulesKey(BuildInputs rules) {
        return new BuildKey.Rules(
                rules.payoutPolicySha256(),
                rules.ctvSettlementSha256(),
                suffixHex,
                manifestKeySha256,
                ledgerKeySha256,
                NUMERIC_CONTEXT);
    }
}
