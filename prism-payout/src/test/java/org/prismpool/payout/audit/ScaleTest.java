package org.prismpool.payout.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.prismpool.payout.Vectors;
import org.prismpool.payout.coinbase.CoinbaseManifest;
import org.prismpool.payout.ctv.CtvSettlement;
import org.prismpool.payout.ctv.FanoutFeePolicy;
import org.prismpool.payout.ctv.SettlementLimits;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.CoinbaseOutputPolicy;
import org.prismpool.payout.reward.PayoutAccount;
import org.prismpool.payout.reward.PayoutPolicy;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.reward.PoolFeePolicy;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WeightedEntitlement;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionOutput;

/** Pools of the size that the reference is tested with. Time limits are many times what a slow machine needs. */
class ScaleTest {

    private static final AuditBundleBuilder BUILDER =
            new AuditBundleBuilder(SigningSeed.ofHex(Vectors.COINBASE_SEED), SigningSeed.ofHex(Vectors.LEDGER_SEED));
    private static final long FLOOR = 14_720;
    private static final PayoutIdentity POOL = new PayoutIdentity("pool", "00", "ee".repeat(32));

    @Test
    void fiftyThousandMinersAboveTheFloorAreAllPaidWithoutASquareOfThem() {
        policy(5_000, 20_000); // lets the virtual machine settle
        long small = nanos(() -> policy(5_000, 20_000));
        long began = System.nanoTime();

        PayoutPolicyManifest manifest = policy(50_000, 20_000);

        long large = System.nanoTime() - began;
        assertThat(manifest.onchainEntitlements()).hasSize(50_000);
        assertThat(manifest.accounts()).allMatch(account -> account.onchainAmountSats() >= FLOOR);
        assertThat(sum(manifest)).isEqualTo(BigInteger.valueOf(50_000L * 20_000));
        // Ten times the miners cost about ten times as much; a step that is quadratic would show as a hundred.
        assertThat(Duration.ofNanos(large))
                .isLessThan(Duration.ofNanos(60 * small).plusSeconds(2));
    }

    @Test
    void fiveThousandMinersBelowTheFloorFailCleanly() {
        assertThatThrownBy(() -> policy(5_000, 100))
                .isInstanceOf(PayoutRuleException.class)
                .hasMessage("no on-chain payout recipient remains after applying minimum output floor");
    }

    @Test
    void fiveThousandMinersThroughPoolFeeAndFanoutsVerify() {
        PayoutPolicy policy = new PayoutPolicy(
                3680,
                1,
                4,
                Optional.empty(),
                Optional.of(new PoolFeePolicy(200, POOL)),
                CoinbaseOutputPolicy.POOL_FEE_FIRST);
        CtvSettlement settlement = new CtvSettlement(
                10_485_760, new SettlementLimits(16, 12, 1000, 0), Optional.of(new FanoutFeePolicy(1000, 12_000)));
        List<WindowShare> shares = shares(10_000, 5_000);
        BlockTerms terms = new BlockTerms(
                block(10_000, 200_000_000), List.of(), policy, Optional.empty(), List.of(), Optional.of(settlement));

        AuditBundle bundle = BUILDER.build(new AuditBuildInput(shares, terms));
        AuditBundle read = AuditBundle.read(ExactReader.of(bundle.canonicalBytes()));

        assertThat(new AuditVerifier(Vectors.LEDGER_KEY).verify(read).auditBundleSha256Hex())
                .isEqualTo(bundle.sha256Hex());
        assertThat(bundle.settlementModeDecision()).hasValueSatisfying(decision -> {
            assertThat(decision.fanoutChunkCount()).isEqualTo(5);
            assertThat(decision.fanoutRecipientCount()).isEqualTo(5_000);
            assertThat(decision.directRecipientCount()).isEqualTo(1); // the pool's own, pinned
        });
    }

    /** Acceptance A-30 of the block specification. */
    @Test
    void twelveLargeMinersAndFourFanoutsFillACoinbaseOfSeventeenOutputs() {
        List<WindowShare> shares = new ArrayList<>();
        for (int seq = 1; seq <= 12 + 3_500; seq++) {
            shares.add(share(seq, miner(seq), seq <= 12 ? 100_000 : 100));
        }
        long value = 620_000_000; // 400 for each of 1 550 000 parts
        CtvSettlement settlement =
                new CtvSettlement(10_485_760, SettlementLimits.DEFAULT, Optional.of(new FanoutFeePolicy(1000, 12_000)));
        BlockTerms terms = new BlockTerms(
                block(15_500, value),
                List.of(),
                PayoutPolicy.DAY_ONE,
                Optional.empty(),
                List.of(),
                Optional.of(settlement));

        AuditBundle bundle = BUILDER.build(new AuditBuildInput(shares, terms));

        assertThat(bundle.settlementModeDecision()).hasValueSatisfying(decision -> {
            assertThat(decision.directRecipientCount()).isEqualTo(12);
            assertThat(decision.fanoutChunkCount()).isEqualTo(4);
        });
        CoinbaseManifest manifest = bundle.signedCoinbaseManifest().manifest();
        List<TransactionOutput> outputs =
                Transaction.parseHex(manifest.coinbaseTxHex()).outputs();
        assertThat(outputs).hasSize(17);
        assertThat(HexFormat.of().formatHex(outputs.get(16).script()))
                .isEqualTo(manifest.witnessCommitmentScriptHex())
                .startsWith("6a24aa21a9ed");
        assertThat(outputs.stream().mapToLong(TransactionOutput::valueSats).sum())
                .isEqualTo(value);
        assertThat(new AuditVerifier(Vectors.LEDGER_KEY).verify(bundle).auditBundleSha256Hex())
                .isEqualTo(bundle.sha256Hex());
    }

    @Test
    void aCoinbaseOfFiveHundredOutputsStaysFarBelowTheWeightLimit() {
        JobSummary summary =
                BUILDER.summarize(new AuditBuildInput(shares(1_000, 500), BlockTerms.of(block(1_000, 500L * 20_000))));

        CoinbaseManifest manifest = summary.signedCoinbaseManifest().manifest();
        assertThat(manifest.outputs()).hasSize(500);
        assertThat(manifest.coinbaseTxHex()).hasSizeLessThan(2 * 30_000);
    }

    @Test
    void aWindowOfAHundredThousandSharesIsSummarisedVerifiedAndCarriedForwardInSeconds() {
        List<WindowShare> shares = shares(100_000, 10_000);
        FoundBlock block = block(100_000, 10_000L * 20_000);
        long began = System.nanoTime();

        AuditBundle bundle = BUILDER.build(new AuditBuildInput(shares, BlockTerms.of(block)));
        VerificationReport report = new AuditVerifier(Vectors.LEDGER_KEY).verify(bundle);

        assertThat(report.onchainOutputCount()).isEqualTo(10_000);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(60));
    }

    private static PayoutPolicyManifest policy(int miners, long satsEach) {
        List<WeightedEntitlement> entitlements = new ArrayList<>();
        for (int i = 0; i < miners; i++) {
            entitlements.add(new WeightedEntitlement(miner(i), U128.ofUnsigned(1_000_000 + i % 7)));
        }
        return PayoutPolicyManifest.of(block(1, miners * satsEach), entitlements, List.of(), PayoutPolicy.DAY_ONE);
    }

    private static long nanos(Runnable work) {
        long began = System.nanoTime();
        work.run();
        return System.nanoTime() - began;
    }

    private static BigInteger sum(PayoutPolicyManifest manifest) {
        return manifest.accounts().stream()
                .map(PayoutAccount::onchainAmountSats)
                .map(BigInteger::valueOf)
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    private static FoundBlock block(long shares, long value) {
        return new FoundBlock(101, value, U128.ofUnsigned(Math.max(1, shares * 100 / RewardWindow.MULTIPLIER)), shares);
    }

    private static List<WindowShare> shares(int count, int miners) {
        IdentityPool identities = new IdentityPool();
        List<WindowShare> shares = new ArrayList<>();
        for (int seq = 1; seq <= count; seq++) {
            PayoutIdentity miner = miner(seq % miners);
            PayoutIdentity shared = identities.identity(miner.recipientId(), miner.orderKey(), miner.programHex());
            shares.add(share(seq, shared, 100));
        }
        return shares;
    }

    private static WindowShare share(int seq, PayoutIdentity miner, long difficulty) {
        return new WindowShare(
                seq,
                "share-" + seq,
                miner,
                U128.ofUnsigned(difficulty),
                U128.ONE,
                100,
                "job",
                seq,
                seq,
                1,
                Optional.empty());
    }

    private static PayoutIdentity miner(int number) {
        String name = String.format("miner-%05d", number);
        return new PayoutIdentity(name, name, String.format("%064x", number + 1));
    }
}
