package org.prismpool.sharewriter.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.prismpool.sharewriter.contract.Samples.account;
import static org.prismpool.sharewriter.contract.Samples.accrued;
import static org.prismpool.sharewriter.contract.Samples.block;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.BlockMismatchException;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.MatureBlockException;
import org.prismpool.sharewriter.balance.BalanceRow;
import org.prismpool.sharewriter.balance.CarryMismatch;
import org.prismpool.sharewriter.balance.IntegrityReport;
import org.prismpool.sharewriter.block.AcceptedBlock;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.block.ConfirmResult;
import org.prismpool.sharewriter.block.ConfirmResult.Outcome;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PersistResult;
import org.prismpool.sharewriter.block.PoolBlock;

/** What every ledger does with landed blocks, balances and reorganisations. */
public interface BlockContract {

    Ledger ledger();

    private List<String> balances() {
        return ledger().balances().current(soon()).stream()
                .map(row -> row.minerId() + " " + row.balanceSats())
                .toList();
    }

    private ConfirmResult confirm(int fill, long height) {
        return ledger().blocks().confirm(hash(fill), height, soon());
    }

    private void land(AcceptedBlock block) {
        ledger().blocks().persist(block, soon());
        assertThat(ledger().blocks()
                        .confirm(block.blockHash(), block.height(), soon())
                        .outcome())
                .isEqualTo(Outcome.CONFIRMED);
    }

    private void assertNoDrift() {
        assertThat(ledger().integrity().report(soon()).drift()).isEmpty();
    }

    private static AcceptedBlock block44() {
        return block(
                0x44, 7, accrued("miner-a", "a", 0xaa, 1000, 0), account("miner-b", "b", 0xbb, 50000, 0, 50000, 500));
    }

    private static AcceptedBlock block45() {
        return block(0x45, 8, accrued("miner-a", "a", 0xaa, 300, 1000), accrued("miner-c", "c", 0xcc, 700, 0));
    }

    @Test
    default void balancesFollowConfirmationQuarantineReturnAndReversal() {
        assertThat(ledger().blocks().persist(block44(), soon())).isEqualTo(new PersistResult(true, 2, 2, 1));
        assertThat(balances()).isEmpty();
        assertThat(confirm(0x44, 7).outcome()).isEqualTo(Outcome.CONFIRMED);
        assertThat(balances()).containsExactly("miner-a 1000");
        land(block45());
        assertThat(balances()).containsExactly("miner-a 1300", "miner-c 700");
        assertThat(ledger().balances().asOf(hash(0x44), soon()))
                .containsExactly(new BalanceRow("miner-a", "a", Samples.program(0xaa), BigInteger.valueOf(1000)));
        assertNoDrift();

        assertThat(ledger().reorg().markInactive(hash(0x44), 8, soon())).isTrue();
        assertThat(balances()).containsExactly("miner-a 300", "miner-c 700");
        assertNoDrift();
        assertThat(ledger().reorg().reactivate(hash(0x44), 8, soon())).isTrue();
        assertThat(balances()).containsExactly("miner-a 1300", "miner-c 700");

        assertThat(ledger().reorg().reverseImmature(hash(0x45), 1007, soon())).isEqualTo(5);
        assertThat(balances()).containsExactly("miner-a 1000");
        assertNoDrift();
    }

    @Test
    default void theAuditChainHasTheContractsHeads() {
        assertThat(ledger().integrity().report(soon()).auditHeadSha256()).isEqualTo("0".repeat(64));
        land(block44());
        assertThat(ledger().integrity().report(soon()).auditHeadSha256())
                .isEqualTo("d245fe471b8b16b8cb455081ed77766cef4965577ed6602f3969d2bab1223eb6");
        land(block45());
        IntegrityReport report = ledger().integrity().report(soon());
        assertThat(report.auditHeadSha256())
                .isEqualTo("aaf6284bb5c81f5e848929e699b170c4f82137d63b170215de97538594a8e769");
        assertThat(report.auditRowCount()).isEqualTo(4);
        assertThat(report.mismatches()).isEmpty();
    }

    @Test
    default void aQuarantineInTheMiddleIsAMismatchButNoDrift() {
        land(block44());
        land(block45());
        ledger().reorg().markInactive(hash(0x44), 8, soon());

        IntegrityReport report = ledger().integrity().report(soon());

        assertThat(report.drift()).isEmpty();
        assertThat(report.checkedActiveRows()).isEqualTo(2);
        assertThat(report.mismatches()).hasSize(1);
        CarryMismatch mismatch = report.mismatches().get(0);
        assertThat(mismatch.row().sequence()).isEqualTo(3);
        assertThat(mismatch.expectedPrior()).isEqualTo(0);
        assertThat(mismatch.expectedCandidate()).isEqualTo(300);
        assertThat(mismatch.expectedCarryForward()).isEqualTo(300);
        assertThat(mismatch.reason()).isEqualTo("prior_balance,candidate_balance,carry_forward_balance");
    }

    @Test
    default void addressesOfOneProgramShareABalanceUnderTheFirstLabel() {
        land(block(
                0x44, 7, accrued("alias-miner-b", "02", 0xaa, 200, 0), accrued("alias-miner-a", "00", 0xaa, 100, 0)));

        assertThat(ledger().balances().current(soon()))
                .containsExactly(new BalanceRow("alias-miner-a", "00", Samples.program(0xaa), BigInteger.valueOf(300)));
    }

    @Test
    default void zeroIsLeftOutAndNegativeIsKeptButNotOwed() {
        land(block(0x44, 7, account("zero", "z", 0x01, 500, 0, 500, 0), account("neg", "n", 0x02, 0, 0, 70, 0)));

        assertThat(balances()).containsExactly("neg -70");
        assertThat(ledger().balances().owed(soon())).isEmpty();
    }

    @Test
    default void lifecycleAnswersAreTheContracts() {
        ledger().blocks().persist(block45(), soon());
        assertThat(confirm(0x45, 9).outcome()).isEqualTo(Outcome.UNEXPLAINED);
        assertThat(confirm(0x99, 8).outcome()).isEqualTo(Outcome.UNEXPLAINED);
        ConfirmResult first = confirm(0x45, 8);
        assertThat(first.outcome()).isEqualTo(Outcome.CONFIRMED);
        assertThat(first.publicationSequence()).hasValue(1);
        ConfirmResult again = confirm(0x45, 8);
        assertThat(again.outcome()).isEqualTo(Outcome.ALREADY_CONFIRMED);
        assertThat(again.publicationSequence()).hasValue(1);

        assertThat(ledger().reorg().markInactive(hash(0x45), 8, soon())).isTrue();
        assertThat(ledger().reorg().markInactive(hash(0x45), 8, soon())).isFalse();
        assertThat(confirm(0x45, 8).outcome()).isEqualTo(Outcome.SUPERSEDED);
        assertThat(ledger().reorg().reactivate(hash(0x45), 7, soon())).isFalse();
        assertThat(ledger().reorg().reactivate(hash(0x45), 8, soon())).isTrue();
        assertThat(ledger().blocks().find(hash(0x45), soon()).orElseThrow().publicationSequence())
                .hasValue(1);
        assertThat(ledger().blocks().publicationFloor(soon())).isEqualTo(1);
    }

    @Test
    default void maturityComesAtAThousandBlocksAndIsFinal() {
        land(block44());
        assertThat(ledger().reorg().matureUpTo(1006, soon())).isZero();
        assertThat(ledger().reorg().matureUpTo(1007, soon())).isEqualTo(2);
        assertThat(ledger().reorg().matureUpTo(1007, soon())).isZero();
        PoolBlock row = ledger().blocks().find(hash(0x44), soon()).orElseThrow();
        assertThat(row.maturityState()).isEqualTo(MaturityState.MATURE);
        assertThat(ledger().reorg().newestMature(64, soon())).containsExactly(row);
        assertThat(ledger().reorg().watched(soon())).isEmpty();
        assertThat(balances()).containsExactly("miner-a 1000");

        assertThatThrownBy(() -> ledger().reorg().markInactive(hash(0x44), 1007, soon()))
                .isInstanceOf(MatureBlockException.class)
                .hasMessageContaining("refusing to mark mature pool block inactive " + hash(0x44));
        assertThatThrownBy(() -> ledger().reorg().reverseImmature(hash(0x44), 1007, soon()))
                .isInstanceOf(MatureBlockException.class)
                .hasMessageContaining("refusing to reverse mature pool block " + hash(0x44));
    }

    @Test
    default void aBlockAThousandDeepIsNotReversedEvenIfStillImmature() {
        land(block45());

        assertThatThrownBy(() -> ledger().reorg().reverseImmature(hash(0x45), 1008, soon()))
                .isInstanceOf(MatureBlockException.class);
        assertThat(ledger().reorg().reverseImmature(hash(0x45), 1007, soon())).isEqualTo(5);
    }

    @Test
    default void aRejectedBlockStaysDisposedUntilItIsReinstated() {
        ledger().blocks().persist(block45(), soon());
        assertThat(ledger().blocks().rejectPrepared(hash(0x45), 8, soon())).isEqualTo(5);
        assertThat(ledger().blocks().rejectPrepared(hash(0x45), 8, soon())).isZero();
        assertThat(confirm(0x45, 8).outcome()).isEqualTo(Outcome.SUPERSEDED);
        assertThat(ledger().reorg().rejectedAbove(7, soon())).hasSize(1);
        assertThat(ledger().reorg().rejectedAbove(8, soon())).isEmpty();
        assertThat(ledger().blocks().persist(block45(), soon()).inserted()).isFalse();

        assertThat(ledger().reorg().reinstate(hash(0x45), soon())).isEqualTo(5);
        assertThat(ledger().reorg().reinstate(hash(0x45), soon())).isZero();
        assertThat(confirm(0x45, 8).publicationSequence()).hasValue(1);
        assertThat(balances()).containsExactly("miner-a 300", "miner-c 700");
        assertNoDrift();
        assertThat(ledger().reorg().matureUpTo(1008, soon())).isEqualTo(2);
    }

    @Test
    default void aReversedBlockIsNeverReinstated() {
        ledger().blocks().persist(block45(), soon());
        ledger().reorg().reverseImmature(hash(0x45), 9, soon());

        assertThat(ledger().reorg().reinstate(hash(0x45), soon())).isZero();
        assertThat(confirm(0x45, 8).outcome()).isEqualTo(Outcome.SUPERSEDED);
        assertThat(ledger().blocks().find(hash(0x45), soon()).orElseThrow().chainState())
                .isEqualTo(ChainState.REVERSED);
    }

    @Test
    default void persistingAgainComparesEverything() {
        AcceptedBlock block = block44();
        ledger().blocks().persist(block, soon());
        assertThat(ledger().blocks().persist(block, soon())).isEqualTo(new PersistResult(false, 2, 2, 1));

        assertMismatch(
                new AcceptedBlock(
                        block.blockHash(),
                        8,
                        block.parentHash(),
                        block.coinbaseTxid(),
                        block.payoutManifestSha256(),
                        block.bundle(),
                        block.accounts()),
                "existing block metadata does not match payload");
        assertMismatch(
                with(block, Samples.bundle(hash(0xf1)), block.accounts()),
                "existing audit bundle does not match payload");
        assertMismatch(
                with(
                        block,
                        block.bundle(),
                        List.of(
                                accrued("miner-a", "a", 0xaa, 1001, 0),
                                block.accounts().get(1))),
                "existing payout entries do not match payload");
        assertMismatch(
                with(
                        block,
                        block.bundle(),
                        List.of(block.accounts().get(0), account("miner-b", "b", 0xbb, 50000, 0, 50000, 501))),
                "existing carry-forward rows do not match payload");
    }

    private void assertMismatch(AcceptedBlock block, String message) {
        assertThatThrownBy(() -> ledger().blocks().persist(block, soon()))
                .isInstanceOf(BlockMismatchException.class)
                .hasMessage(message);
    }

    private static AcceptedBlock with(
            AcceptedBlock block, AuditBundleRow bundle, List<org.prismpool.sharewriter.block.PayoutAccount> accounts) {
        return new AcceptedBlock(
                block.blockHash(),
                block.height(),
                block.parentHash(),
                block.coinbaseTxid(),
                block.payoutManifestSha256(),
                bundle,
                accounts);
    }

    @Test
    default void theBodyCheckNamesTheRecordedFile() {
        AcceptedBlock block = block44();
        assertThat(ledger().blocks().checkBeforeBody(block, soon())).isEmpty();
        ledger().blocks().persist(block, soon());
        assertThat(ledger().blocks().checkBeforeBody(block, soon()))
                .contains((AuditBundleRow.External) block.bundle().body());
        assertThatThrownBy(() -> ledger().blocks()
                        .checkBeforeBody(with(block, Samples.bundle(hash(0xf1)), block.accounts()), soon()))
                .isInstanceOf(BlockMismatchException.class);
    }

    @Test
    default void strandedRowsAreThoseWithoutAPendingCandidate() {
        ledger().blocks().persist(block44(), soon());
        ledger().blocks().persist(block45(), soon());
        ledger().outbox().insert(Samples.intent(0x44, "x"), soon());

        assertThat(ledger().reorg().strandedPrepared(8, 64, soon()).stream()
                        .map(PoolBlock::blockHash)
                        .toList())
                .containsExactly(hash(0x45));
        assertThat(ledger().reorg().strandedPrepared(7, 64, soon())).isEmpty();
        ledger().outbox().finish(hash(0x44), org.prismpool.sharewriter.CandidateState.ABANDONED, "x", soon());
        assertThat(ledger().reorg().strandedPrepared(8, 1, soon())).hasSize(1);
    }

    @Test
    default void auditRowsAreFoundByBlockAndByLeaf() {
        land(block44());
        var audits = ledger().audits();
        assertThat(audits.find(hash(0x44), soon()).orElseThrow().bundle())
                .isEqualTo(block44().bundle());
        assertThat(audits.find(hash(0x01), soon())).isEmpty();
        assertThat(audits.committing(hash(0x12), 5, soon())).hasSize(1);
        assertThat(audits.committing(hash(0x13), 5, soon())).isEmpty();
        assertThat(audits.payouts(hash(0x44), soon()).stream()
                        .map(row -> row.minerId() + " " + row.onchainSats())
                        .toList())
                .containsExactly("miner-a 0", "miner-b 50000");
        assertThat(ledger().reads().blockCounts(soon()).in(ChainState.CONFIRMED))
                .isEqualTo(1);
        assertThat(ledger().reads().blockCounts(soon()).owedAccounts()).isEqualTo(1);
    }

    @Test
    default void aRecipientsNewestEntriesComeFirstAndWithTheirBlock() {
        land(block44());
        land(block45());
        var audits = ledger().audits();

        assertThat(audits.paidTo("miner-a", 5, soon()))
                .extracting(row -> row.payout().height() + " " + row.payout().carryForwardSats() + " "
                        + row.block().blockHash())
                .containsExactly("8 1300 " + hash(0x45), "7 1000 " + hash(0x44));
        assertThat(audits.paidTo("miner-a", 1, soon())).hasSize(1);
        assertThat(audits.paidTo("miner-b", 5, soon())).singleElement().satisfies(row -> {
            assertThat(row.payout().onchainSats()).isEqualTo(50000);
            assertThat(row.block().coinbaseTxid()).isEqualTo(block44().coinbaseTxid());
            assertThat(row.createdAtMs()).isPositive();
        });
        assertThat(audits.paidTo("nobody", 5, soon())).isEmpty();
    }

    @Test
    default void anInlineBodyMovesToAFileOnce() {
        AuditBundleRow old = block44().bundle();
        AuditBundleRow inline = new AuditBundleRow(
                new AuditBundleRow.Inline("{\"a\": 1}"),
                old.sha256(),
                old.coinbaseTxHex(),
                old.schemaVersion(),
                old.facts(),
                old.commitmentLeavesHex(),
                old.witnessLeavesHex());
        land(with(block44(), inline, block44().accounts()));
        AuditBundleRow.External file = new AuditBundleRow.External("body.json", 8);

        assertThat(ledger().audits().inlineBodies(5, soon())).containsExactly(hash(0x44));
        assertThat(ledger().audits().externalise(hash(0x44), hash(0xf1), file, soon()))
                .isFalse();
        assertThat(ledger().audits().externalise(hash(0x44), old.sha256(), file, soon()))
                .isTrue();
        assertThat(ledger().audits().externalise(hash(0x44), old.sha256(), file, soon()))
                .isFalse();
        assertThat(ledger().audits()
                        .find(hash(0x44), soon())
                        .orElseThrow()
                        .bundle()
                        .body())
                .isEqualTo(file);
        assertThat(ledger().audits().inlineBodies(5, soon())).isEmpty();
    }
}
