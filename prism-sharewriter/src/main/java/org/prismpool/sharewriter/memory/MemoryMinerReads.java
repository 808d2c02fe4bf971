package org.prismpool.sharewriter.memory;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PayoutAccount;
import org.prismpool.sharewriter.block.PayoutAction;
import org.prismpool.sharewriter.internal.CovenantOutputs;
import org.prismpool.sharewriter.internal.Pages;
import org.prismpool.sharewriter.internal.ShareNames;
import org.prismpool.sharewriter.internal.WorkerTally;
import org.prismpool.sharewriter.read.MinerAccount;
import org.prismpool.sharewriter.read.MinerActivity;
import org.prismpool.sharewriter.read.MinerEarning;
import org.prismpool.sharewriter.read.MinerPayout;
import org.prismpool.sharewriter.read.MinerPayout.CovenantOutput;
import org.prismpool.sharewriter.read.MinerReads;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;
import org.prismpool.sharewriter.read.RateWindow;
import org.prismpool.sharewriter.read.WorkerBoard;

/** One miner's pages over the state in memory. */
final class MemoryMinerReads implements MinerReads {

    private final MemoryState state;
    private final MemoryBalances balances;

    MemoryMinerReads(MemoryState state, MemoryBalances balances) {
        this.state = state;
        this.balances = balances;
    }

    /** A row of the miner with its block. */
    private record Row(MemoryState.Block block, MemoryState.Carry carry) {
        PayoutAccount account() {
            return carry.account;
        }
    }

    @Override
    public MinerActivity activity(String recipientId, Deadline deadline) {
        synchronized (state) {
            long asOf = state.wallClockMs.getAsLong();
            OptionalLong last = state.shares.stream()
                    .map(StoredShare::share)
                    .filter(share -> share.minerId().equals(recipientId) && share.acceptedAtMs() <= asOf)
                    .mapToLong(PendingShare::acceptedAtMs)
                    .max();
            return new MinerActivity(
                    MemoryPoolStatistics.work(
                            state, asOf, share -> share.minerId().equals(recipientId)),
                    last.isPresent() ? Optional.of(Instant.ofEpochMilli(last.getAsLong())) : Optional.empty());
        }
    }

    @Override
    public MinerAccount account(String recipientId, Deadline deadline) {
        synchronized (state) {
            BigInteger owed = balances.owed(deadline).stream()
                    .filter(row -> row.minerId().equals(recipientId))
                    .map(row -> row.balanceSats())
                    .reduce(BigInteger.ZERO, BigInteger::add);
            BigInteger lifetime = BigInteger.ZERO;
            BigInteger pending = BigInteger.ZERO;
            for (Row row : rows(recipientId)) {
                lifetime = lifetime.add(BigInteger.valueOf(row.account().grossSats()));
                if (pending(row)) {
                    long paid = row.account().onchainSats() - row.account().settlementFeeSats();
                    pending = pending.add(BigInteger.valueOf(Math.max(0, paid)));
                }
            }
            return new MinerAccount(owed, lifetime, pending);
        }
    }

    private static boolean pending(Row row) {
        return row.account().action() == PayoutAction.ONCHAIN
                && row.carry().maturity == MaturityState.IMMATURE
                && row.block().chain == ChainState.CONFIRMED
                && row.block().maturity == MaturityState.IMMATURE;
    }

    /** Rows of one miner that stand, newest first; the caller holds the state. */
    private List<Row> rows(String recipientId) {
        List<Row> rows = new ArrayList<>();
        for (MemoryState.Block block : state.blocks.values()) {
            if (block.chain != ChainState.REVERSED && block.maturity != MaturityState.REVERSED) {
                block.carry.stream()
                        .filter(carry -> carry.account.minerId().equals(recipientId))
                        .filter(carry -> carry.maturity != MaturityState.REVERSED)
                        .forEach(carry -> rows.add(new Row(block, carry)));
            }
        }
        rows.sort(Comparator.comparingLong((Row row) -> row.block().facts.height())
                .thenComparingLong(row -> row.carry().sequence)
                .reversed());
        return rows;
    }

    @Override
    public Paged<MinerEarning> earnings(String recipientId, PageRequest page, Deadline deadline) {
        synchronized (state) {
            Paged<Row> cut = Pages.cut(rows(recipientId), page);
            return new Paged<>(
                    cut.totalCount(),
                    cut.rows().stream().map(MemoryMinerReads::earning).toList());
        }
    }

    private static MinerEarning earning(Row row) {
        BigInteger blockGross = row.block().carry.stream()
                .map(carry -> BigInteger.valueOf(carry.account.grossSats()))
                .reduce(BigInteger.ZERO, BigInteger::add);
        return new MinerEarning(
                row.block().facts.height(),
                row.block().facts.blockHash(),
                Instant.ofEpochMilli(row.block().facts.foundAtMs()),
                row.account().grossSats(),
                blockGross,
                row.account().settlementFeeSats(),
                row.carry().maturity);
    }

    @Override
    public Paged<MinerPayout> payouts(String recipientId, PageRequest page, Deadline deadline) {
        synchronized (state) {
            Paged<Row> cut = Pages.cut(rows(recipientId), page);
            return new Paged<>(
                    cut.totalCount(), cut.rows().stream().map(this::payout).toList());
        }
    }

    private MinerPayout payout(Row row) {
        return new MinerPayout(
                row.block().facts.height(),
                row.block().facts.blockHash(),
                Instant.ofEpochMilli(row.block().facts.foundAtMs()),
                row.block().facts.coinbaseTxid(),
                row.account().onchainSats(),
                row.account().carryForwardSats(),
                row.account().action(),
                row.carry().maturity,
                row.account().action() == PayoutAction.ONCHAIN ? covenantOutput(row) : Optional.empty());
    }

    private Optional<CovenantOutput> covenantOutput(Row row) {
        Collection<MemoryState.Fanout> all = state.fanouts.values();
        return all.stream()
                .filter(fanout -> fanout.blockHash.equals(row.block().facts.blockHash()))
                .sorted(Comparator.comparingInt((MemoryState.Fanout fanout) -> fanout.artifact.chunkIndex()))
                .flatMap(fanout -> CovenantOutputs.find(
                        fanout.artifact.fanoutTxid(),
                        fanout.artifact.manifestJson(),
                        row.account().minerId(),
                        row.account().orderKey(),
                        row.account().program())
                        .stream())
                .findFirst();
    }

    @Override
    public WorkerBoard workers(String recipientId, WorkerFilter filter, PageRequest page, Deadline deadline) {
        synchronized (state) {
            long asOf = state.wallClockMs.getAsLong();
            WorkerTally tally = new WorkerTally(recipientId, Instant.ofEpochMilli(asOf));
            for (StoredShare row : state.shares) {
                PendingShare share = row.share();
                if (share.minerId().equals(recipientId) && MemoryPoolStatistics.within(share, asOf, RateWindow.H3)) {
                    tally.add(
                            ShareNames.username(share.shareId()),
                            Instant.ofEpochMilli(share.acceptedAtMs()),
                            MemoryPoolStatistics.within(share, asOf, RateWindow.M1)
                                    ? share.shareDifficulty()
                                    : BigInteger.ZERO,
                            share.shareDifficulty());
                }
            }
            return tally.board(filter, page);
        }
    }
}
