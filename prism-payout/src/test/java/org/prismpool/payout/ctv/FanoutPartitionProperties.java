package org.prismpool.payout.ctv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.TimeZone;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.prismpool.payout.Vectors;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.AuditVerifier;
import org.prismpool.payout.audit.BlockTerms;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.WindowShare;

/** Acceptance 5 to 7 of the settlement specification, and its trap 42. */
class FanoutPartitionProperties {

    private static final AuditBundleBuilder BUILDER =
            new AuditBundleBuilder(SigningSeed.ofHex(Vectors.COINBASE_SEED), SigningSeed.ofHex(Vectors.LEDGER_SEED));

    private static List<SettlementRecipient> recipients(Random random, int count) {
        List<SettlementRecipient> recipients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String program = String.format(Locale.ROOT, "%064x", new BigInteger(255, random));
            PayoutIdentity identity = new PayoutIdentity("m" + random.nextInt(5), "k" + i / 2, program);
            recipients.add(new SettlementRecipient(identity, 1 + random.nextInt(40)));
        }
        return recipients;
    }

    private static SettlementLimits limits(Random random) {
        long most = 1 + random.nextInt(12);
        return new SettlementLimits(
                most, random.nextInt(10), 1 + random.nextInt(9), random.nextInt((int) Math.min(3, most + 1)));
    }

    @Property(tries = 400)
    void everyRecipientIsPlacedOnceWithinTheLimitsWhateverTheOrder(@ForAll Random random) {
        List<SettlementRecipient> recipients = recipients(random, 1 + random.nextInt(60));
        SettlementLimits limits = limits(random);
        long floor = random.nextInt(45);
        List<SettlementRecipient> shuffled = new ArrayList<>(recipients);
        Collections.shuffle(shuffled, random);

        SettlementDecision decision;
        try {
            decision = FanoutPartition.decide(recipients, floor, limits, Optional.empty());
        } catch (PayoutRuleException e) {
            assertThat(e.reason())
                    .isEqualTo("cannot select a settlement mode: recipient partition requires more than "
                            + limits.maxCoinbaseSettlementOutputs() + " coinbase settlement outputs");
            long fewest = (recipients.size() + limits.maxFanoutRecipientsPerTransaction() - 1)
                    / limits.maxFanoutRecipientsPerTransaction();
            // No direct output at all would be the smallest use of the budget but for the last chunk.
            assertThat(limits.reservedCoinbaseOutputs() + fewest).isGreaterThan(limits.maxCoinbaseSettlementOutputs());
            assertThat(catchThrowableOfType(
                            PayoutRuleException.class,
                            () -> FanoutPartition.decide(shuffled, floor, limits, Optional.empty())))
                    .hasMessage(e.getMessage());
            return;
        }

        List<SettlementRecipient> placed = Stream.concat(
                        decision.directRecipients().stream(),
                        decision.fanoutChunks().stream().flatMap(chunk -> chunk.recipients().stream()))
                .toList();
        assertThat(placed).containsExactlyInAnyOrderElementsOf(recipients);
        assertThat(decision.directAmountSats() + decision.fanoutAmountSats())
                .isEqualTo(decision.totalAmountSats())
                .isEqualTo(recipients.stream()
                        .mapToLong(SettlementRecipient::amountSats)
                        .sum());
        assertThat(decision.directRecipients()).allMatch(each -> each.amountSats() >= floor);
        assertThat(decision.directRecipients()).hasSizeLessThanOrEqualTo((int) limits.maxDirectCoinbaseOutputs());
        assertThat(decision.fanoutChunks())
                .allMatch(chunk -> chunk.recipients().size() <= limits.maxFanoutRecipientsPerTransaction());
        assertThat(decision.coinbaseSettlementOutputCount())
                .isEqualTo(limits.reservedCoinbaseOutputs()
                        + decision.directRecipients().size()
                        + decision.fanoutChunks().size())
                .isLessThanOrEqualTo(limits.maxCoinbaseSettlementOutputs());
        assertThat(FanoutPartition.decide(shuffled, floor, limits, Optional.empty()))
                .isEqualTo(decision);
    }

    @Property(tries = 300)
    void everyPartOfAFeeIsLessThanOneSatFromItsExactShare(@ForAll Random random) {
        List<SettlementRecipient> recipients = recipients(random, 1 + random.nextInt(40)).stream()
                .map(each -> new SettlementRecipient(each.identity(), 10_000 + random.nextInt(1_000_000)))
                .toList();
        long fee = FanoutFee.estimate(
                recipients.size(), new FanoutFeePolicy(1 + random.nextInt(5000), 1 + random.nextInt(20_000)));

        FanoutFee.Allocation allocation = FanoutFee.allocate(recipients, fee, 1);

        if (!allocation.carriedForward().isEmpty()) {
            assertThat(fee).isGreaterThan(allocation.totalGrossSats() / 2);
            return;
        }
        assertThat(allocation.payable().stream()
                        .mapToLong(FanoutFee.Share::feeSats)
                        .sum())
                .isEqualTo(fee);
        BigInteger total = BigInteger.valueOf(allocation.totalGrossSats());
        for (FanoutFee.Share each : allocation.payable()) {
            assertThat(each.netAmountSats() + each.feeSats()).isEqualTo(each.grossAmountSats());
            BigInteger exact = BigInteger.valueOf(fee).multiply(BigInteger.valueOf(each.grossAmountSats()));
            BigInteger scaled = BigInteger.valueOf(each.feeSats()).multiply(total);
            assertThat(scaled.subtract(exact).abs()).isLessThan(total);
        }
    }

    @Example
    void localeAndTimeZoneChangeNothing() {
        byte[] input = Vectors.bytes("payout/build/ctv-three-chunks/input.json");
        byte[] expected = Vectors.bytes("payout/build/ctv-three-chunks/bundle.json");
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        try {
            for (String tag : List.of("tr-TR", "ar-EG-u-nu-arab", "hi-IN-u-nu-deva", "th-TH-u-ca-buddhist")) {
                Locale.setDefault(Locale.forLanguageTag(tag));
                TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));

                assertThat(BUILDER.build(AuditBuildInput.read(ExactReader.of(input), false))
                                .canonicalBytes())
                        .as(tag)
                        .isEqualTo(expected);
            }
        } finally {
            Locale.setDefault(locale);
            TimeZone.setDefault(zone);
        }
    }

    @Example
    void aMinerNamedLikeACovenantIsNotTakenForIt() {
        List<WindowShare> shares = List.of(
                share(1, new PayoutIdentity("ctv-fanout-0", "ctv-fanout-00000000", "ff".repeat(32)), 60),
                share(2, new PayoutIdentity("miner-b", "b", "22".repeat(32)), 40));
        FoundBlock block = new FoundBlock(101, 100_000, U128.ofUnsigned(100), 1000);
        BlockTerms terms = new BlockTerms(
                block,
                List.of(),
                BlockTerms.of(block).payoutPolicy(),
                Optional.empty(),
                List.of(),
                Optional.of(new CtvSettlement(
                        50_000, SettlementLimits.DEFAULT, Optional.of(new FanoutFeePolicy(1000, 12_000)))));

        AuditBundle bundle = BUILDER.build(new AuditBuildInput(shares, terms));

        List<FanoutManifest> fanouts =
                List.copyOf(bundle.ctvFanoutManifestSet().orElseThrow().manifests());
        assertThat(fanouts).hasSize(1);
        assertThat(fanouts.get(0).covenantOutputValueSats()).isEqualTo(40_000);
        int covenant = (int) fanouts.get(0).parentCoinbaseVout();
        assertThat(bundle.signedCoinbaseManifest()
                        .manifest()
                        .outputs()
                        .get(covenant)
                        .identity()
                        .programHex())
                .isEqualTo(fanouts.get(0).precommitment().p2mrProgramHex())
                .isNotEqualTo("ff".repeat(32));
        assertThat(new AuditVerifier(Vectors.LEDGER_KEY).verify(bundle).onchainOutputCount())
                .isEqualTo(2);
    }

    private static WindowShare share(long seq, PayoutIdentity identity, long difficulty) {
        return new WindowShare(
                seq,
                "share-" + seq,
                identity,
                U128.ofUnsigned(difficulty),
                U128.ONE,
                100,
                "job",
                1000,
                1000,
                1,
                Optional.empty());
    }
}
