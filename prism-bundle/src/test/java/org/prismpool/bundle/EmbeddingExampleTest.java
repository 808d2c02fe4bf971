package org.prismpool.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.prismpool.bundle.compile.InProcessCompiler;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.finalization.BuildInputs;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.PayoutPolicy;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.state.ActiveChain;
import org.prismpool.payout.state.BalanceReader;
import org.prismpool.payout.state.PayoutEvents;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.payout.state.PayoutStateConfig;
import org.prismpool.payout.state.PayoutStateMetrics;
import org.prismpool.payout.state.PayoutStatePorts;
import org.prismpool.payout.state.PreparedWindowConfig;
import org.prismpool.payout.state.PreparedWindows;
import org.prismpool.payout.state.WindowClock;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.payout.window.WindowSource;
import org.prismpool.templates.BlockTemplate;
import org.prismpool.templates.TemplateFingerprint;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.job.BlockTerms;
import org.prismpool.templates.job.TransactionSet;

class EmbeddingExampleTest {

    @Test
    void aPoolGetsSignedWorkForItsMinersInTwentyLines() throws Exception {
        assertThat(newWork(template())).contains(" pays 2 outputs at height 101");
    }

    @Test
    void theReadmeShowsThisVeryCode() throws IOException {
        String source = Files.readString(Path.of("src/test/java/org/prismpool/bundle/EmbeddingExampleTest.java"));
        String shown = source.substring(
                source.lastIndexOf("    String newWork("), source.lastIndexOf("    // end of the example"));

        assertThat(Files.readString(Path.of("README.md"))).contains(shown.stripTrailing());
    }

    String newWork(TemplateObservation template) throws InterruptedException {
        MonotonicClock clock = MonotonicClock.system();
        Deadline deadline = Deadline.after(Duration.ofSeconds(30), clock, "example");
        PayoutState payout = new PayoutState(
                PayoutStateConfig.DEFAULT,
                new PayoutStatePorts(balances, chain, new PayoutEvents() {}, new PayoutStateMetrics() {}),
                clock);
        payout.parents().replayEnumerated(); // no block of an earlier process is pending
        payout.publishCurrent(true, deadline, CancelSignal.never());
        PreparedWindows windows = new PreparedWindows(
                PreparedWindowConfig.DEFAULT, shares, wall, payout.appends(), new PayoutStateMetrics() {});
        BundlePorts ports = new BundlePorts(
                new InProcessCompiler(manifestKey, ledgerKey, clock),
                payout,
                windows,
                wall,
                (t, d, c) -> new BuildInputs(PayoutPolicy.DAY_ONE, Optional.empty()),
                conditions,
                BundleMetrics.NONE);
        BundleIdentity identity = new BundleIdentity("/MYPOOL/", manifestKey.publicKeyHex(), ledgerKey.publicKeyHex());
        try (BundleService bundles = new BundleService(BundleConfig.DEFAULT, identity, ports, clock)) {
            bundles.start();
            WorkBundle bundle = bundles.request(
                            BundleRequest.publication(template, clock.nanoTime()), deadline, CancelSignal.never())
                    .join();
            return bundle.work().coinbase().coinb1Hex() + " pays "
                    + bundle.coinbase().manifest().outputs().size() + " outputs at height "
                    + bundle.work().height();
        }
    }

    // end of the example

    private final SigningSeed manifestKey = SigningSeed.ofHex("42".repeat(32));
    private final SigningSeed ledgerKey = SigningSeed.ofHex("43".repeat(32));
    private final BalanceReader balances = (deadline, cancel) -> List.of();
    private final ActiveChain chain = (height, deadline) -> Optional.empty();

    private final WindowSource shares = new WindowSource() {
        @Override
        public List<WindowShare> newest(long anchorMs, U128 weight, Deadline deadline) {
            return SmallPool.fiveShares();
        }

        @Override
        public List<WindowShare> becameEligible(long afterMs, long anchorMs, Deadline deadline) {
            return List.of();
        }
    };

    private final WindowClock wall = new WindowClock() {
        @Override
        public long nowMs() {
            return SmallPool.NOW_MS;
        }

        @Override
        public long cleanAnchorMs() {
            return SmallPool.NOW_MS - 1;
        }
    };

    private final WorkConditions conditions = new WorkConditions() {
        @Override
        public boolean poolReady() {
            return true;
        }

        @Override
        public boolean tipUnpublished() {
            return false;
        }

        @Override
        public boolean buildable(TemplateObservation template) {
            return true;
        }

        @Override
        public boolean storable(TemplateObservation template, boolean sameGeneration) {
            return true;
        }
    };

    private static TemplateObservation template() {
        BlockTerms terms = new BlockTerms(
                Hash256.ofDisplayHex(String.format("%064x", 100)),
                101,
                5_000_000_000L,
                0x20000000,
                CompactTarget.ofHex("207fffff"),
                new BlockTerms.TimeLimits(1_700_000_100L, 1_700_000_000L, 7200));
        return new TemplateObservation(
                1,
                new TemplateFingerprint(Sha256.hex(new byte[] {1})),
                new BlockTemplate(terms, TransactionSet.EMPTY, List.of(), 4_000_000),
                0);
    }

    @Test
    void theReadmeShowsExactlyThis() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        int from = readme.indexOf("```java\n") + "```java\n".length();
        String shown = readme.substring(from, readme.indexOf("\n```", from));
        String source = Files.readString(Path.of("src/test/java/org/prismpool/bundle/EmbeddingExampleTest.java"));

        assertThat(onOneLine(source)).contains(onOneLine(shown));
    }

    private static String onOneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}
