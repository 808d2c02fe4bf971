package org.prismpool.sharewriter.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.prismpool.sharewriter.contract.Samples.fanouts;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.soon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.BlockMismatchException;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.fanout.AttemptStatus;
import org.prismpool.sharewriter.fanout.BroadcastAttempt;
import org.prismpool.sharewriter.fanout.FanoutSet;
import org.prismpool.sharewriter.fanout.FanoutStatus;

/** What every ledger does with settlement artifacts. */
public interface FanoutContract {

    Ledger ledger();

    private static BroadcastAttempt attempt(AttemptStatus status, Duration backoff) {
        return new BroadcastAttempt(
                status, List.of("aa", "bb"), List.of("cc"), Optional.of("{\"ok\":true}"), Optional.of("why"), backoff);
    }

    private void landBlock(int fill, long height) {
        ledger().blocks().persist(Samples.block(fill, height, Samples.accrued("m", "m", 1, 1, 0)), soon());
        ledger().blocks().confirm(hash(fill), height, soon());
    }

    @Test
    default void aSetIsStoredOnceAndOnlyOnAKnownBlock() {
        assertThatThrownBy(() -> ledger().fanouts().persist(fanouts(0x44, 2), soon()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown PRISM block");
        landBlock(0x44, 7);
        assertThat(ledger().fanouts().persist(fanouts(0x44, 2), soon())).isEqualTo(2);
        assertThat(ledger().fanouts().persist(fanouts(0x44, 2), soon())).isEqualTo(2);

        FanoutSet set = fanouts(0x44, 2);
        FanoutSet other = new FanoutSet(
                set.blockHash(),
                set.manifestSetJson(),
                hash(0x26),
                set.settlementMode(),
                set.parentCoinbaseTxid(),
                set.parentCoinbaseTxHex(),
                set.fanoutOutputSumSats(),
                set.covenantOutputValueSats(),
                set.artifacts());
        assertThatThrownBy(() -> ledger().fanouts().persist(other, soon()))
                .isInstanceOf(BlockMismatchException.class)
                .hasMessage("existing CTV fanout manifest set does not match payload");
        assertThat(ledger().fanouts().ofBlock(hash(0x44), soon()).stream()
                        .map(row -> row.artifact().chunkIndex() + " " + row.status())
                        .toList())
                .containsExactly("0 AWAITING_MATURITY", "1 AWAITING_MATURITY");
        assertThat(ledger().fanouts().find(hash(0x61), soon()).orElseThrow().artifact())
                .isEqualTo(set.artifacts().get(1));
    }

    @Test
    default void maturityMakesArtifactsBroadcastable() {
        landBlock(0x44, 7);
        ledger().fanouts().persist(fanouts(0x44, 1), soon());
        ledger().reorg().matureUpTo(1007, soon());

        assertThat(ledger().fanouts().find(hash(0x60), soon()).orElseThrow().status())
                .isEqualTo(FanoutStatus.BROADCASTABLE);
    }

    @Test
    default void attemptsMoveTheStatusAndKeepTheNewestDetails() throws Exception {
        landBlock(0x44, 7);
        ledger().fanouts().persist(fanouts(0x44, 1), soon());
        var rows = ledger().fanouts();
        assertThat(rows.recordAttempt(hash(0x60), attempt(AttemptStatus.PLANNED, Duration.ofMinutes(5)), 2, soon()))
                .isEqualTo(FanoutStatus.AWAITING_MATURITY);
        assertThat(rows.due(10, soon())).isEmpty();
        for (int i = 0; i < 3; i++) {
            assertThat(rows.recordAttempt(hash(0x60), attempt(AttemptStatus.SUBMITTED, Duration.ZERO), 2, soon()))
                    .isEqualTo(FanoutStatus.BROADCAST_SUBMITTED);
        }
        assertThat(rows.due(10, soon())).hasSize(1);

        JsonNode document = new ObjectMapper()
                .readTree(rows.statusDocument(hash(0x60), soon()).orElseThrow());
        assertThat(document.path("schema").asText()).isEqualTo("qbit.prism.ctv-fanout-status.v1");
        assertThat(document.path("broadcast_attempt_count").asInt()).isEqualTo(4);
        assertThat(document.path("broadcast_attempts")).hasSize(2);
        assertThat(document.path("broadcast_attempt_status_counts")
                        .path("planned")
                        .asInt())
                .isEqualTo(1);
        assertThat(document.path("broadcast_attempt_status_counts")
                        .path("submitted")
                        .asInt())
                .isEqualTo(3);
        assertThat(document.path("broadcast_attempt_summary").path("last_error").asText())
                .isEqualTo("why");
        assertThat(document.path("last_broadcast_submit_result").path("ok").asBoolean())
                .isTrue();
        assertThat(document.path("next_broadcast_attempt_at").isNull()).isTrue();
        assertThat(document.path("updated_at").asText()).endsWith("+00");
        assertThatThrownBy(() -> rows.recordAttempt(hash(1), attempt(AttemptStatus.FAILED, Duration.ZERO), 2, soon()))
                .hasMessage("unknown CTV fanout txid");
    }

    @Test
    default void theDocumentsOfDueArtifactsAreThoseOfEachInOrder() {
        landBlock(0x44, 7);
        ledger().fanouts().persist(fanouts(0x44, 3), soon());
        var rows = ledger().fanouts();
        rows.updateStatus(hash(0x61), FanoutStatus.AWAITING_MATURITY, FanoutStatus.CONFIRMED, soon());

        List<String> each = rows.due(10, soon()).stream()
                .map(row ->
                        rows.statusDocument(row.artifact().fanoutTxid(), soon()).orElseThrow())
                .toList();
        assertThat(each).hasSize(2);
        assertThat(rows.dueDocuments(10, soon())).isEqualTo(each);
        assertThat(rows.dueDocuments(1, soon())).isEqualTo(each.subList(0, 1));
    }

    @Test
    default void aTerminalArtifactNeverChanges() {
        landBlock(0x44, 7);
        ledger().fanouts().persist(fanouts(0x44, 2), soon());
        var rows = ledger().fanouts();
        assertThat(rows.updateStatus(hash(0x60), FanoutStatus.BROADCASTABLE, FanoutStatus.CONFIRMED, soon()))
                .isFalse();
        assertThat(rows.updateStatus(hash(0x60), FanoutStatus.AWAITING_MATURITY, FanoutStatus.REORGED, soon()))
                .isTrue();
        assertThat(rows.updateStatus(hash(0x60), FanoutStatus.REORGED, FanoutStatus.BROADCASTABLE, soon()))
                .isFalse();
        assertThat(rows.recordAttempt(hash(0x60), attempt(AttemptStatus.SUBMITTED, Duration.ZERO), 0, soon()))
                .isEqualTo(FanoutStatus.REORGED);
        assertThat(rows.due(10, soon())).hasSize(1);
    }

    @Test
    default void aReversedBlockTakesItsArtifactsAlongAndReinstatementReturnsThem() throws Exception {
        ledger().blocks().persist(Samples.block(0x44, 7, Samples.accrued("m", "m", 1, 1, 0)), soon());
        ledger().fanouts().persist(fanouts(0x44, 2), soon());
        ledger().fanouts().updateStatus(hash(0x61), FanoutStatus.AWAITING_MATURITY, FanoutStatus.CONFIRMED, soon());

        assertThat(ledger().blocks().rejectPrepared(hash(0x44), 8, soon())).isEqualTo(4);
        assertThat(ledger().fanouts().find(hash(0x60), soon()).orElseThrow().status())
                .isEqualTo(FanoutStatus.REORGED);
        assertThat(ledger().reorg().reinstate(hash(0x44), soon())).isEqualTo(4);
        assertThat(ledger().fanouts().find(hash(0x60), soon()).orElseThrow().status())
                .isEqualTo(FanoutStatus.AWAITING_MATURITY);

        JsonNode document = new ObjectMapper()
                .readTree(
                        ledger().fanouts().recoveryDocument(hash(0x44), soon()).orElseThrow());
        assertThat(document.path("schema").asText()).isEqualTo("qbit.prism.ctv-fanout-recovery.v1");
        assertThat(document.path("artifacts")).hasSize(2);
        assertThat(document.path("artifacts").get(0).has("broadcast_attempts")).isFalse();
        assertThat(document.path("artifacts").get(1).path("settlement_status").asText())
                .isEqualTo("confirmed");
        assertThat(ledger().fanouts().recoveryDocument(hash(0x01), soon())).isEmpty();
        assertThat(ledger().fanouts().statusDocument(hash(0x01), soon())).isEmpty();
    }
}
