package org.prismpool.sharewriter.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.sharewriter.contract.PublicReadsContract.FIRST;
import static org.prismpool.sharewriter.contract.PublicReadsContract.accept;
import static org.prismpool.sharewriter.contract.PublicReadsContract.work;
import static org.prismpool.sharewriter.contract.Samples.account;
import static org.prismpool.sharewriter.contract.Samples.accrued;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PayoutAccount;
import org.prismpool.sharewriter.block.PayoutAction;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutSet;
import org.prismpool.sharewriter.read.AcceptedWork;
import org.prismpool.sharewriter.read.MinerAccount;
import org.prismpool.sharewriter.read.MinerActivity;
import org.prismpool.sharewriter.read.MinerEarning;
import org.prismpool.sharewriter.read.MinerPayout;
import org.prismpool.sharewriter.read.MinerPayout.CovenantOutput;
import org.prismpool.sharewriter.read.MinerReads;
import org.prismpool.sharewriter.read.MinerReads.WorkerFilter;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;
import org.prismpool.sharewriter.read.RateWindow;
import org.prismpool.sharewriter.read.WorkerBoard;

/** What every ledger answers to the pages of one miner. */
public interface MinerReadsContract {

    Ledger ledger();

    private MinerReads miners() {
        return ledger().reads().miners();
    }

    private void land(int fill, long height, PayoutAccount... accounts) {
        ledger().blocks().persist(Samples.block(fill, height, accounts), soon());
    }

    private void confirm(int fill, long height, PayoutAccount... accounts) {
        land(fill, height, accounts);
        ledger().blocks().confirm(hash(fill), height, soon());
    }

    /** A set whose manifests pay one account each. */
    private static FanoutSet paying(int block, String... outputs) {
        List<FanoutArtifact> artifacts = new java.util.ArrayList<>();
        for (int i = 0; i < outputs.length; i++) {
            artifacts.add(new FanoutArtifact(
                    hash(0x60 + i),
                    "{\"precommitment\":{\"outputs\":[" + outputs[i] + "]}}",
                    hash(0x21 + i),
                    hash(0x22),
                    hash(0x23),
                    hash(0x24),
                    i,
                    i + 1,
                    "aa",
                    "bb",
                    OptionalInt.empty(),
                    1000,
                    900));
        }
        return new FanoutSet(hash(block), "{}", hash(0x25), "ctv_fanout", hash(0xc0), "01000000", 900, 1000, artifacts);
    }

    private static String output(int vout, String recipient, String orderKey, int program, long amount) {
        return "{\"vout\":" + vout + ",\"recipient_id\":\"" + recipient + "\",\"order_key\":\"" + orderKey
                + "\",\"p2mr_program_hex\":\"" + hash(program) + "\",\"amount_sats\":" + amount + "}";
    }

    @Test
    default void anUnknownMinerHasZerosAndEmptyPages() {
        accept(ledger(), "other:x", "other", 5, 10);
        confirm(0x44, 7, accrued("other", "other", 1, 1000, 0));

        MinerActivity activity = miners().activity("nobody", soon());
        assertThat(activity.work().in(RateWindow.H24)).isEqualTo(AcceptedWork.NONE);
        assertThat(activity.lastShareAt()).isEmpty();
        assertThat(miners().account("nobody", soon()))
                .isEqualTo(new MinerAccount(BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO));
        assertThat(miners().earnings("nobody", FIRST, soon())).isEqualTo(new Paged<>(0, List.of()));
        assertThat(miners().payouts("nobody", FIRST, soon())).isEqualTo(new Paged<>(0, List.of()));
        WorkerBoard workers = miners().workers("nobody", WorkerFilter.ALL, FIRST, soon());
        assertThat(workers.rows()).isEmpty();
        assertThat(workers.activeCount()).isZero();
    }

    @Test
    default void aMinersWorkIsItsOwnAndItsNewestShareMayBeOld() {
        accept(ledger(), "s1", "addr-a", 10, 0);
        accept(ledger(), "s2", "addr-a", 20, 200);
        accept(ledger(), "s3", "addr-b", 40, 100_000);
        accept(ledger(), "s4", "addr-b", 80, 200_000);
        accept(ledger(), "s5", "addr-b", 99, -3_600);

        MinerActivity a = miners().activity("addr-a", soon());
        assertThat(a.work().in(RateWindow.M1)).isEqualTo(work(1, 10));
        assertThat(a.work().in(RateWindow.M5)).isEqualTo(work(2, 30));
        assertThat(a.work().in(RateWindow.H24)).isEqualTo(work(2, 30));
        MinerActivity b = miners().activity("addr-b", soon());
        assertThat(b.work().in(RateWindow.H24)).isEqualTo(AcceptedWork.NONE);
        assertThat(b.lastShareAt())
                .get()
                .satisfies(last -> assertThat(last)
                        .isBetween(
                                Instant.now().minusSeconds(100_600),
                                Instant.now().minusSeconds(99_400)));
    }

    @Test
    default void anAccountAddsUpWhatStands() {
        confirm(
                0x44,
                7,
                accrued("addr-a", "a", 1, 1000, 0),
                account("addr-b", "b", 2, 50_000, 0, 50_000, 500),
                account("addr-b", "b2", 3, 100, 0, 100, 200));
        land(0x46, 8, account("addr-b", "b", 2, 7_000, 0, 7_000, 0));
        land(0x48, 9, accrued("addr-a", "a", 1, 300, 1000));
        ledger().reorg().reverseImmature(hash(0x48), 9, soon());

        assertThat(miners().account("addr-a", soon()))
                .isEqualTo(new MinerAccount(BigInteger.valueOf(1000), BigInteger.valueOf(1000), BigInteger.ZERO));
        assertThat(miners().account("addr-b", soon()))
                .as("a prepared block is earned but not pending")
                .isEqualTo(new MinerAccount(BigInteger.ZERO, BigInteger.valueOf(57_100), BigInteger.valueOf(49_500)));

        ledger().reorg().matureUpTo(1007, soon());
        assertThat(miners().account("addr-b", soon()).pendingMaturitySats()).isZero();
    }

    @Test
    default void earningsArePagedNewestFirstWithTheirPartOfTheBlock() {
        confirm(0x44, 7, account("addr-a", "a", 1, 250, 0, 250, 50), accrued("addr-b", "b", 2, 750, 0));
        confirm(0x46, 8, accrued("addr-a", "a", 1, 10, 0), accrued("addr-a", "a2", 3, 20, 0));
        land(0x48, 9, accrued("addr-a", "a", 1, 5, 0));
        ledger().blocks().rejectPrepared(hash(0x48), 9, soon());

        Paged<MinerEarning> all = miners().earnings("addr-a", FIRST, soon());
        assertThat(all.totalCount()).isEqualTo(3);
        assertThat(all.rows())
                .extracting(row -> row.blockHeight() + " " + row.grossSats() + "/" + row.blockGrossSats() + " fee "
                        + row.settlementFeeSats() + " " + row.maturity())
                .containsExactly("8 20/30 fee 0 IMMATURE", "8 10/30 fee 0 IMMATURE", "7 250/1000 fee 50 IMMATURE");
        assertThat(all.rows().get(2).blockHash()).isEqualTo(hash(0x44));
        assertThat(all.rows().get(2).foundAt())
                .isBetween(Instant.now().minusSeconds(600), Instant.now().plusSeconds(600));
        assertThat(miners().earnings("addr-a", new PageRequest(2, 2), soon()))
                .isEqualTo(new Paged<>(3, all.rows().subList(2, 3)));
        assertThat(miners().earnings("addr-a", new PageRequest(9, 2), soon())).isEqualTo(new Paged<>(3, List.of()));
    }

    @Test
    default void payoutsSayHowTheMinerWasPaid() {
        confirm(0x44, 7, account("addr-a", "a", 1, 250, 40, 250, 50));
        confirm(0x46, 8, accrued("addr-a", "a", 1, 10, 40));
        ledger().reorg().matureUpTo(1007, soon());

        Paged<MinerPayout> payouts = miners().payouts("addr-a", FIRST, soon());

        assertThat(payouts.totalCount()).isEqualTo(2);
        assertThat(payouts.rows())
                .extracting(row -> row.blockHeight() + " " + row.action() + " " + row.onchainSats() + " then "
                        + row.carryForwardSats() + " " + row.maturity())
                .containsExactly("8 ACCRUED 0 then 50 IMMATURE", "7 ONCHAIN 250 then 40 MATURE");
        MinerPayout paid = payouts.rows().get(1);
        assertThat(paid.action()).isEqualTo(PayoutAction.ONCHAIN);
        assertThat(paid.maturity()).isEqualTo(MaturityState.MATURE);
        assertThat(paid.blockHash()).isEqualTo(hash(0x44));
        assertThat(paid.coinbaseTxid()).isEqualTo(hash(0xc0));
        assertThat(paid.covenantOutput()).isEmpty();
        assertThat(paid.createdAt())
                .isBetween(Instant.now().minusSeconds(600), Instant.now().plusSeconds(600));
    }

    @Test
    default void aPayoutInACovenantNamesItsTransactionAndTheCommittedAmount() {
        confirm(
                0x44,
                7,
                account("addr-a", "a", 1, 1000, 0, 1000, 100),
                account("addr-a", "other-key", 1, 500, 0, 500, 0),
                account("addr-a", "a", 9, 600, 0, 600, 0),
                accrued("addr-a", "accrued", 1, 70, 0));
        ledger().fanouts()
                .persist(
                        paying(
                                0x44,
                                output(0, "addr-b", "a", 1, 1) + "," + output(1, "addr-a", "accrued", 1, 2),
                                output(0, "addr-b", "a", 1, 3) + "," + output(1, "addr-a", "a", 1, 900) + ","
                                        + output(2, "addr-a", "a", 1, 4),
                                output(0, "addr-a", "a", 1, 5)),
                        soon());

        assertThat(miners().payouts("addr-a", FIRST, soon()).rows())
                .extracting(row -> row.onchainSats() + " " + row.covenantOutput())
                .containsExactly(
                        "0 " + Optional.empty(),
                        "600 " + Optional.empty(),
                        "500 " + Optional.empty(),
                        "1000 " + Optional.of(new CovenantOutput(hash(0x61), 1, 900)));
    }

    @Test
    default void aManifestWithoutOutputsPaysNobody() {
        confirm(0x44, 7, account("addr-a", "a", 1, 1000, 0, 1000, 100));
        ledger().fanouts().persist(Samples.fanouts(0x44, 2), soon());

        assertThat(miners().payouts("addr-a", FIRST, soon()).rows())
                .extracting(MinerPayout::covenantOutput)
                .containsExactly(Optional.empty());
    }

    @Test
    default void payoutsArePagedWithoutReversedRows() {
        for (int i = 0; i < 4; i++) {
            land(0x40 + 2 * i, 7 + i, accrued("addr-a", "a", 1, 10, 0));
        }
        ledger().blocks().rejectPrepared(hash(0x42), 12, soon());
        ledger().reorg().reverseImmature(hash(0x44), 12, soon());

        assertThat(miners().payouts("addr-a", new PageRequest(1, 1), soon()))
                .satisfies(page -> assertThat(page.totalCount()).isEqualTo(2))
                .satisfies(page -> assertThat(page.rows())
                        .extracting(MinerPayout::blockHeight)
                        .containsExactly(10L));
        assertThat(miners().payouts("addr-a", new PageRequest(2, 1), soon()).rows())
                .extracting(MinerPayout::blockHeight)
                .containsExactly(7L);
    }

    @Test
    default void workersAreNamedByTheirUsernamesAndActiveOnesComeFirst() {
        accept(ledger(), "addr-a.rig-b:" + hash(1), "addr-a", 1, 0);
        accept(ledger(), "addr-a.rig-b:" + hash(2), "addr-a", 2, 300);
        accept(ledger(), "addr-a:" + hash(3), "addr-a", 4, 1_200);
        accept(ledger(), "addr-a.:" + hash(4), "addr-a", 8, 1_300);
        accept(ledger(), "alias.rig-a.x:" + hash(5), "addr-a", 16, 120);
        accept(ledger(), "alias:" + hash(6), "addr-a", 32, 1_400);
        accept(ledger(), "addr-a.old:" + hash(7), "addr-a", 64, 20_000);
        accept(ledger(), "addr-a.asleep:" + hash(8), "addr-a", 128, 2_000);
        accept(ledger(), "addr-b.rig-c:" + hash(9), "addr-b", 256, 10);

        WorkerBoard board = miners().workers("addr-a", WorkerFilter.ALL, FIRST, soon());

        assertThat(board.rows())
                .extracting(
                        row -> row.name() + " " + row.active() + " " + row.difficulty60s() + "/" + row.difficulty3h())
                .containsExactly("rig-a.x true 0/16", "rig-b true 1/3", "asleep false 0/128", "default false 0/44");
        assertThat(board.totalCount()).isEqualTo(4);
        assertThat(board.activeCount()).isEqualTo(2);
        assertThat(board.rows().get(0).lastShareAt())
                .isBefore(board.rows().get(1).lastShareAt());
        assertThat(board.asOf()).isAfter(board.rows().get(0).lastShareAt());
    }

    @Test
    default void workersAreFilteredAndPagedWhileTheActiveOnesAreAllCounted() {
        accept(ledger(), "addr-a.Rig-1:" + hash(1), "addr-a", 1, 0);
        accept(ledger(), "addr-a.rig-2:" + hash(2), "addr-a", 1, 5_000);
        accept(ledger(), "addr-a.farm:" + hash(3), "addr-a", 1, 0);

        WorkerBoard rigs = miners().workers("addr-a", new WorkerFilter("RIG", false), FIRST, soon());
        assertThat(rigs.rows()).extracting(WorkerBoard.Worker::name).containsExactly("Rig-1", "rig-2");
        assertThat(rigs.totalCount()).isEqualTo(2);
        assertThat(rigs.activeCount()).isEqualTo(2);
        WorkerBoard active = miners().workers("addr-a", new WorkerFilter("", true), FIRST, soon());
        assertThat(active.rows()).extracting(WorkerBoard.Worker::name).containsExactly("Rig-1", "farm");
        WorkerBoard second = miners().workers("addr-a", WorkerFilter.ALL, new PageRequest(2, 2), soon());
        assertThat(second.rows()).extracting(WorkerBoard.Worker::name).containsExactly("rig-2");
        assertThat(second.totalCount()).isEqualTo(3);
    }
}
