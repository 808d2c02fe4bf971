package org.prismpool.payout.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.prismpool.payout.Vectors;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.IncrementalWindow;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WindowShare;

/** Windows above the size from which hashing runs on a second thread. */
class LargeWindowTest {

    private static final SigningSeed POOL = SigningSeed.ofHex(Vectors.COINBASE_SEED);
    private static final SigningSeed LEDGER = SigningSeed.ofHex(Vectors.LEDGER_SEED);
    private static final int COUNT = 30_000;
    private static final FoundBlock BLOCK = new FoundBlock(101, 500_000_000, U128.ofUnsigned(30_000), COUNT);

    private final List<WindowShare> shares = shares();

    @Test
    void aLargeBundleVerifiesAndItsHashIsThatOfItsBytes() {
        AuditBundle bundle =
                new AuditBundleBuilder(POOL, LEDGER).build(new AuditBuildInput(shares, BlockTerms.of(BLOCK)));

        assertThat(bundle.rewardManifest().shares().size()).isGreaterThan(RewardWindow.LARGE);
        assertThat(bundle.sha256Hex()).isEqualTo(Hex.encode(CanonicalWriter.sha256Of(bundle::write)));
        assertThat(new AuditVerifier(Vectors.LEDGER_KEY).verify(bundle).auditBundleSha256Hex())
                .isEqualTo(bundle.sha256Hex());
    }

    @Test
    void aSummaryFromAnIncrementalWindowIsThatOfTheShares() {
        AuditBundleBuilder builder = new AuditBundleBuilder(POOL, LEDGER);
        IncrementalWindow window = IncrementalWindow.rescanned(
                shares, new IncrementalWindow.Origin(BLOCK.networkDifficulty(), COUNT, 0), true);
        BlockTerms terms = BlockTerms.of(BLOCK);

        byte[] incremental =
                builder.summarize(window.rewardWindow(BLOCK), terms).canonicalBytes();

        assertThat(incremental)
                .isEqualTo(builder.summarize(new AuditBuildInput(shares, terms)).canonicalBytes());
    }

    @Test
    void aBuildCanBeGivenUpInTheMiddleOfADigest() {
        int[] calls = {0};
        BuildObserver observer = new BuildObserver() {
            @Override
            public void checkpoint() {
                if (++calls[0] == 20) {
                    throw new CancellationException("superseded");
                }
            }
        };
        AuditBundleBuilder builder = new AuditBundleBuilder(POOL, LEDGER, observer);

        assertThatThrownBy(() -> builder.summarize(new AuditBuildInput(shares, BlockTerms.of(BLOCK))))
                .isInstanceOf(CancellationException.class);

        assertThat(calls[0]).isEqualTo(20);
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("prism-payout-window", "prism-payout-policy", "prism-payout-hash");
    }

    @Test
    void theFirstBrokenRuleOfAnyShareIsReportedThoughTheSharesAreCountedBesideTheCheck() {
        WindowShare first = shares.get(0);
        WindowShare zero = with("zero", U128.ZERO);
        WindowShare twice = with(first.shareId(), U128.ONE);
        FoundBlock nothingEligible = new FoundBlock(101, 500_000_000, BLOCK.networkDifficulty(), 0);

        assertReported(appended(twice, zero), BLOCK, "duplicate share_id in PRISM window input: " + first.shareId());
        assertReported(
                appended(zero, twice),
                BLOCK,
                "share difficulty must be positive for share sequence " + zero.shareSeq());
        assertReported(
                appended(twice), nothingEligible, "duplicate share_id in PRISM window input: " + first.shareId());
        assertReported(shares, nothingEligible, "no eligible shares at or before job issue time 0");
    }

    @Test
    void errorsOfPayoutsThatAreComputedBesideTheHashesKeepTheirTextsAndTheirOrder() {
        WindowShare invalid = new WindowShare(
                COUNT + 1L,
                "invalid",
                new PayoutIdentity("m", "m", "zz"),
                U128.ofUnsigned(1000),
                U128.ONE,
                100,
                "job",
                1,
                1,
                1,
                Optional.empty());
        FoundBlock small = new FoundBlock(101, 100, BLOCK.networkDifficulty(), COUNT);

        assertReported(
                appended(invalid),
                BLOCK,
                "builder failed: invalid P2MR program hex for recipient m: Invalid character 'z' at position 0");
        assertReported(appended(invalid), small, "coinbase value 100 is below minimum output floor 14720");
    }

    private static void assertReported(List<WindowShare> shares, FoundBlock block, String message) {
        AuditBundleBuilder builder = new AuditBundleBuilder(POOL, LEDGER);

        assertThatThrownBy(() -> builder.summarize(new AuditBuildInput(shares, BlockTerms.of(block))))
                .isInstanceOf(PayoutRuleException.class)
                .hasMessage(message);
    }

    private List<WindowShare> appended(WindowShare... more) {
        List<WindowShare> all = new ArrayList<>(shares);
        all.addAll(List.of(more));
        return all;
    }

    private WindowShare with(String id, U128 difficulty) {
        WindowShare last = shares.get(COUNT - 1);
        return new WindowShare(
                COUNT + 1L, id, last.identity(), difficulty, U128.ONE, 100, "job", 1, 1, 1, Optional.empty());
    }

    private static List<WindowShare> shares() {
        IdentityPool identities = new IdentityPool();
        List<WindowShare> shares = new ArrayList<>();
        for (int seq = 1; seq <= COUNT; seq++) {
            String miner = "miner-" + seq % 50;
            shares.add(new WindowShare(
                    seq,
                    "share-" + seq,
                    identities.identity(miner, miner, String.format("%064x", seq % 50 + 1)),
                    U128.ofUnsigned(8 + seq % 3),
                    U128.ONE,
                    100,
                    "job",
                    seq,
                    seq,
                    1,
                    Optional.empty()));
        }
        return shares;
    }
}
