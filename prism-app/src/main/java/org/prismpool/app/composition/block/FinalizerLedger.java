package org.prismpool.app.composition.block;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.prismpool.app.composition.backend.LedgerBalances;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;
import org.prismpool.payout.finalization.AcceptedBlock;
import org.prismpool.payout.finalization.AuditDocument;
import org.prismpool.payout.finalization.BlockLedger;
import org.prismpool.payout.finalization.BlockRow;
import org.prismpool.payout.finalization.BlockRowMismatchException;
import org.prismpool.payout.finalization.Confirmation;
import org.prismpool.payout.finalization.LedgerTimeoutException;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.reward.PayoutAccount;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.sharewriter.BlockMismatchException;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.LedgerDeadlineException;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.ConfirmResult;
import org.prismpool.sharewriter.block.PayoutAction;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.templates.chain.Hash256;

/** Stores what block finalization decides in the ledger's block rows. */
public final class FinalizerLedger implements BlockLedger {

    private final Ledger ledger;
    private final BarrierWrites writes;

    public FinalizerLedger(Ledger ledger, BarrierWrites writes) {
        this.ledger = ledger;
        this.writes = writes;
    }

    @Override
    public BlockRow row(Hash256 hash, Deadline deadline) {
        Optional<PoolBlock> found = call(() -> ledger.blocks().find(hash.displayHex(), deadline));
        return found.map(row -> new BlockRow(
                        BlockRow.State.valueOf(row.chainState().name()),
                        row.publicationSequence().orElse(0)))
                .orElse(BlockRow.ABSENT);
    }

    @Override
    public void persist(AcceptedBlock block, Deadline deadline) {
        call(() -> writes.call(() -> ledger.blocks().persist(rows(block), deadline)));
    }

    @Override
    public Confirmation confirm(Hash256 hash, long expectedHeight, Deadline deadline) {
        ConfirmResult result =
                call(() -> writes.call(() -> ledger.blocks().confirm(hash.displayHex(), expectedHeight, deadline)));
        return switch (result.outcome()) {
            case CONFIRMED, ALREADY_CONFIRMED ->
                new Confirmation.Confirmed(result.publicationSequence().orElseThrow());
            case SUPERSEDED -> new Confirmation.Superseded();
            case UNEXPLAINED -> new Confirmation.Unexplained();
        };
    }

    @Override
    public void rejectPrepared(Hash256 hash, Deadline deadline) {
        long height = call(() -> ledger.blocks().find(hash.displayHex(), deadline))
                .map(PoolBlock::height)
                .orElse(0L);
        call(() -> writes.call(() -> ledger.blocks().rejectPrepared(hash.displayHex(), height, deadline)));
    }

    @Override
    public List<PriorBalance> balancesAfter(Hash256 hash, Deadline deadline) {
        return call(() -> ledger.balances().asOf(hash.displayHex(), deadline)).stream()
                .map(LedgerBalances::balance)
                .filter(balance -> balance.balanceSats().signum() != 0)
                .toList();
    }

    private static org.prismpool.sharewriter.block.AcceptedBlock rows(AcceptedBlock block) {
        AuditDocument document = block.document();
        AuditBundleRow bundle = new AuditBundleRow(
                new AuditBundleRow.External(
                        block.storedBody()
                                .uri()
                                .orElseThrow(() -> new IllegalStateException("an audit body has a location")),
                        block.storedBody().byteLength()),
                document.sha256Hex(),
                block.solution().coinbaseHex(),
                document.bundle().schema(),
                Optional.of(new AuditBundleRow.FoundBlockFacts(
                        block.work().foundBlock().networkDifficulty().toBigInteger(),
                        bits(block.solution().blockHex()),
                        block.solution().coinbaseValueSats())),
                Optional.of(document.bundle().auditCommitmentLeavesHex()),
                Optional.of(block.work().witnessLeavesHex()));
        return new org.prismpool.sharewriter.block.AcceptedBlock(
                block.solution().hash().displayHex(),
                block.solution().height(),
                block.solution().parent().displayHex(),
                document.bundle().signedCoinbaseManifest().manifest().coinbaseTxid(),
                Hex.encode(document.payoutPolicy().sha256()),
                bundle,
                block.accounts().stream().map(FinalizerLedger::account).toList());
    }

    /** Big-endian text of the header's bits, which stand at byte 72. */
    private static String bits(String blockHex) {
        StringBuilder bits = new StringBuilder();
        for (int at = 75; at >= 72; at--) {
            bits.append(blockHex, 2 * at, 2 * at + 2);
        }
        return bits.toString();
    }

    private static org.prismpool.sharewriter.block.PayoutAccount account(PayoutAccount account) {
        return new org.prismpool.sharewriter.block.PayoutAccount(
                account.identity().recipientId(),
                account.identity().orderKey(),
                P2mrProgram.ofHex(account.identity().programHex()),
                account.grossAmountSats(),
                account.priorBalanceSats(),
                account.candidateBalanceSats(),
                account.onchainAmountSats(),
                account.settlementFeeSats(),
                account.carryForwardBalanceSats(),
                PayoutAction.valueOf(account.action().name()));
    }

    private static <R> R call(Supplier<R> call) {
        try {
            return call.get();
        } catch (LedgerDeadlineException | DeadlineExceededException late) {
            throw new LedgerTimeoutException(String.valueOf(late.getMessage()), late);
        } catch (BlockMismatchException differs) {
            throw new BlockRowMismatchException(String.valueOf(differs.getMessage()), differs);
        }
    }
}
