package org.prismpool.sharewriter.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.sharewriter.contract.PublicReadsContract.FIRST;
import static org.prismpool.sharewriter.contract.Samples.fanouts;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.fanout.AttemptStatus;
import org.prismpool.sharewriter.fanout.BroadcastAttempt;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutSet;
import org.prismpool.sharewriter.fanout.FanoutStatus;
import org.prismpool.sharewriter.read.BlockSettlement;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;
import org.prismpool.sharewriter.read.PublicArtifact;
import org.prismpool.sharewriter.read.PublicFanout;
import org.prismpool.sharewriter.read.SettlementReads;

/** What every ledger answers to the pages of settlements. */
public interface SettlementReadsContract {

    Ledger ledger();

    private SettlementReads settlements() {
        return ledger().reads().settlements();
    }

    private void land(int fill, long height) {
        ledger().blocks().persist(Samples.block(fill, height, Samples.accrued("m", "m", 1, 1, 0)), soon());
        ledger().blocks().confirm(hash(fill), height, soon());
    }

    private static BroadcastAttempt attempt(AttemptStatus status, Optional<String> error) {
        return new BroadcastAttempt(status, List.of(), List.of(), Optional.empty(), error, Duration.ofMinutes(5));
    }

    /** A set of one transaction whose text has another length in bytes than in characters. */
    private static FanoutSet other(int block) {
        FanoutArtifact artifact = new FanoutArtifact(
                hash(0x70),
                "{\"chunk\":\"other\"}",
                hash(0x31),
                hash(0x22),
                hash(0x23),
                hash(0x24),
                0,
                1,
                "aa",
                "dd",
                OptionalInt.empty(),
                1000,
                900);
        return new FanoutSet(
                hash(block),
                "{\"set\":\"\u00e9\"}",
                hash(0x35),
                "hybrid_coinbase_ctv_fanout",
                hash(0xc0),
                "01000000",
                900,
                1000,
                List.of(artifact));
    }

    @Test
    default void aSettlementHasItsBundleItsSetAndItsTransactions() {
        land(0xae, 7);
        ledger().fanouts().persist(fanouts(0xae, 3), soon());
        land(0x46, 8);
        ledger().fanouts().persist(other(0x46), soon());

        BlockSettlement settlement = settlements()
                .ofBlock(hash(0xae).toUpperCase(Locale.ROOT), soon())
                .orElseThrow();

        assertThat(settlement.block())
                .isEqualTo(ledger().blocks().find(hash(0xae), soon()).orElseThrow());
        assertThat(settlement.bundle()).contains(Samples.bundle(hash(0xf0)));
        assertThat(settlement.manifestSet())
                .contains(new BlockSettlement.ManifestSet(hash(0x25), "ctv_fanout", "{\"set\":1}".length()));
        assertThat(settlement.fanouts())
                .extracting(fanout -> fanout.row().artifact())
                .isEqualTo(fanouts(0xae, 3).artifacts());
        assertThat(settlements().ofBlock(hash(0x46), soon()).orElseThrow().manifestSet())
                .contains(new BlockSettlement.ManifestSet(hash(0x35), "hybrid_coinbase_ctv_fanout", 12));
    }

    @Test
    default void aBlockWithoutCovenantsHasNoSet() {
        land(0x44, 7);

        BlockSettlement settlement = settlements().ofBlock(hash(0x44), soon()).orElseThrow();

        assertThat(settlement.manifestSet()).isEmpty();
        assertThat(settlement.fanouts()).isEmpty();
        assertThat(settlement.bundle()).isPresent();
        assertThat(settlements().ofBlock(hash(0x01), soon())).isEmpty();
    }

    @Test
    default void aFanoutIsFoundByItsIdWithItsNewestAttempt() {
        land(0x44, 7);
        ledger().fanouts().persist(fanouts(0x44, 2), soon());

        PublicFanout before = settlements().fanout(hash(0x60), soon()).orElseThrow();
        assertThat(before.row())
                .isEqualTo(ledger().fanouts().find(hash(0x60), soon()).orElseThrow());
        assertThat(before.auditBundleSha256()).contains(hash(0xf0));
        assertThat(before.lastAttemptAt()).isEmpty();
        assertThat(before.lastError()).isEmpty();

        ledger().fanouts().recordAttempt(hash(0x60), attempt(AttemptStatus.PLANNED, Optional.of("why")), 0, soon());
        PublicFanout after = settlements().fanout(hash(0x60), soon()).orElseThrow();
        assertThat(after.lastAttemptAt())
                .get()
                .satisfies(at -> assertThat(at)
                        .isBetween(
                                Instant.now().minusSeconds(600), Instant.now().plusSeconds(600)));
        assertThat(after.lastError()).contains("why");

        ledger().fanouts().recordAttempt(hash(0x60), attempt(AttemptStatus.SUBMITTED, Optional.empty()), 0, soon());
        assertThat(settlements().fanout(hash(0x60), soon()).orElseThrow().lastError())
                .as("the newest attempt had none")
                .isEmpty();
        assertThat(settlements().fanout(hash(0x01), soon())).isEmpty();
    }

    @Test
    default void pendingFanoutsAreThoseWithoutAnEndDueOrNot() {
        land(0x44, 9);
        ledger().fanouts().persist(fanouts(0x44, 3), soon());
        land(0x46, 8);
        ledger().fanouts().persist(other(0x46), soon());
        ledger().fanouts().updateStatus(hash(0x61), FanoutStatus.AWAITING_MATURITY, FanoutStatus.CONFIRMED, soon());
        ledger().fanouts().recordAttempt(hash(0x62), attempt(AttemptStatus.PLANNED, Optional.empty()), 2, soon());

        Paged<PublicFanout> pending = settlements().pendingFanouts(FIRST, soon());

        assertThat(pending.totalCount()).isEqualTo(3);
        assertThat(pending.rows())
                .extracting(fanout -> fanout.row().artifact().fanoutTxid())
                .containsExactly(hash(0x70), hash(0x60), hash(0x62));
        assertThat(settlements().pendingFanouts(new PageRequest(2, 2), soon()))
                .isEqualTo(new Paged<>(3, pending.rows().subList(2, 3)));
        assertThat(settlements().pendingFanouts(new PageRequest(3, 2), soon())).isEqualTo(new Paged<>(3, List.of()));
    }

    @Test
    default void anArtifactIsFoundByItsDigest() {
        land(0x44, 7);
        ledger().fanouts().persist(other(0x44), soon());

        assertThat(settlements().artifact(hash(0xf0).toUpperCase(Locale.ROOT), soon()))
                .contains(new PublicArtifact.Bundle(hash(0x44), Samples.bundle(hash(0xf0))));
        assertThat(settlements().artifact(hash(0x35), soon()))
                .contains(new PublicArtifact.ManifestSet("{\"set\":\"\u00e9\"}"));
        assertThat(settlements().artifact(hash(0x31), soon()))
                .contains(new PublicArtifact.Manifest("{\"chunk\":\"other\"}"));
        assertThat(settlements().artifact(hash(0x70), soon())).contains(new PublicArtifact.FanoutTransaction("dd"));
        assertThat(settlements().artifact(hash(0x01), soon())).isEmpty();
    }
}
