package org.prismpool.payout.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.state.PayoutStateMetrics.ArtifactEvent;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.payout.window.WindowSource;
import org.prismpool.templates.chain.Hash256;

class PreparedWindowsTest {

    private static final U128 DIFFICULTY = U128.ofUnsigned(100);
    private static final PayoutIdentity MINER = new PayoutIdentity("a", "a", "aa".repeat(32));

    private final ManualClock clock = new ManualClock();
    private final AtomicLong nowMs = new AtomicLong(1_000_000);
    private final List<WindowShare> ledger = new ArrayList<>();
    private final Map<ArtifactEvent, Integer> events = new EnumMap<>(ArtifactEvent.class);
    private List<PriorBalance> balances = List.of();
    private boolean ledgerDown;
    private boolean lieAboutDelta;
    private int fullReads;
    private final PayoutState payout = new PayoutState(
            PayoutStateConfig.DEFAULT,
            new PayoutStatePorts(
                    (deadline, cancel) -> balances,
                    (height, deadline) -> Optional.empty(),
                    new PayoutEvents() {
                        @Override
                        public void acceptedBlockPreparing(Deadline deadline) throws InterruptedException {
                            windows().renew(Deadline.after(Duration.ofSeconds(20), MonotonicClock.system(), "test"));
                        }
                    },
                    metrics()),
            clock);
    private final PreparedWindows windows =
            new PreparedWindows(PreparedWindowConfig.DEFAULT, source(), wall(), payout.appends(), metrics());
    private final WindowReanchor reanchor = new WindowReanchor(
            PreparedWindowConfig.DEFAULT,
            windows,
            payout,
            source(),
            (deadline, cancel) -> balances,
            wall(),
            metrics(),
            clock);

    private PreparedWindows windows() {
        return windows;
    }

    @AfterEach
    void close() {
        reanchor.close();
    }

    @BeforeEach
    void publish() throws Exception {
        windows.onReanchorWanted(reanchor::wanted, reanchor::renew);
        payout.publishCurrent(true, Deadline.unbounded(clock, "test"), CancelSignal.never());
        for (int i = 1; i <= 5; i++) {
            ledger.add(share(i, 900_000 + i));
        }
    }

    @Test
    void aWindowServesAfterItsInstallationAndKeepsItsGenerationAcrossTemplates() {
        install(readNow());

        assertThat(windows.serving(need())).hasValueSatisfying(w -> {
            assertThat(w.generation()).isEqualTo(1);
            assertThat(w.shares()).hasSize(5);
            assertThat(w.anchorMs()).isEqualTo(999_999);
        });
        assertThat(windows.generationFor(need())).isEqualTo(1);
    }

    @Test
    void anotherDifficultyPayoutGenerationDigestOrEpochIsNotServed() throws Exception {
        install(readNow());
        WindowNeed other = new WindowNeed(U128.ofUnsigned(101), payout.published(), 0);
        assertThat(windows.serving(other)).isEmpty();
        assertThat(windows.serving(new WindowNeed(DIFFICULTY, payout.published(), 1)))
                .isEmpty();

        payout.repair(1, List.of(PriorBalance.of(MINER, BigInteger.ONE)));
        assertThat(windows.serving(need())).isEmpty();
        windows.retag(payout.published());
        assertThat(windows.serving(need())).isPresent();

        payout.invalidate(Hash256.ZERO, PayoutCause.PAYOUT_ONLY);
        payout.publishCurrent(true, Deadline.unbounded(clock, "test"), CancelSignal.never());
        assertThat(windows.serving(need())).isEmpty();
    }

    @Test
    void aWindowSeventySecondsOldStillServesAndIsReanchoredOnceInTheBackground() {
        install(readNow());
        pass(Duration.ofSeconds(70));

        assertThat(windows.serving(need())).isPresent();
        assertThat(windows.serving(need())).isPresent();
        assertThat(events).containsEntry(ArtifactEvent.REARM_SCHEDULED, 1);
        ledger.add(share(6, nowMs.get() - 10));
        reanchor.tick();

        assertThat(windows.serving(need())).hasValueSatisfying(w -> {
            assertThat(w.shares()).hasSize(6);
            assertThat(w.generation()).isEqualTo(2);
        });
        assertThat(events).containsEntry(ArtifactEvent.INCREMENTAL, 1).doesNotContainKey(ArtifactEvent.DEBOUNCED);
        assertThat(fullReads).as("the first read only").isEqualTo(1);
    }

    @Test
    void anUnchangedWindowIsRefreshedInPlace() {
        install(readNow());
        pass(Duration.ofSeconds(70));
        windows.serving(need());

        reanchor.tick();

        assertThat(windows.installed()).hasValueSatisfying(w -> {
            assertThat(w.generation()).isEqualTo(1);
            assertThat(w.anchorMs()).isEqualTo(nowMs.get() - 1);
        });
        assertThat(events).containsEntry(ArtifactEvent.REFRESHED, 1);
    }

    @Test
    void aWindowBeyondTheCeilingServesNothing() {
        install(readNow());
        pass(Duration.ofSeconds(301));

        assertThat(windows.serving(need())).isEmpty();
        assertThat(events).containsEntry(ArtifactEvent.PROBE_REJECTED_CEILING, 1);
    }

    @Test
    void aWindowThatIsTooOldOnArrivalIsDiscarded() {
        WindowRead read = readNow();
        pass(Duration.ofSeconds(301));

        assertThat(windows.install(read.window(), need())).isEqualTo(InstallOutcome.BORN_EXPIRED);
        assertThat(windows.installed()).isEmpty();
    }

    @Test
    void anOlderAnchorNeverReplacesANewerOne() {
        WindowRead older = readNow();
        pass(Duration.ofSeconds(1));
        install(readNow());

        assertThat(windows.install(older.window(), need())).isEqualTo(InstallOutcome.ALREADY_CURRENT);
    }

    @Test
    void aRowBelowTheAnchorMakesTheWindowUnusable() throws Exception {
        install(readNow());

        try (AppendTicket ticket = payout.appends().begin(List.of(new RowStamp(1, 1)))) {
            ticket.committed();
        }

        assertThat(windows.serving(need())).isEmpty();
    }

    @Test
    void failuresOfTheBackgroundReadDoubleItsPauseAndSuccessResetsIt() {
        install(readNow());
        pass(Duration.ofSeconds(70));
        windows.serving(need());
        ledgerDown = true;
        reanchor.tick();
        reanchor.tick();
        assertThat(events).as("the second turn is not due yet").containsEntry(ArtifactEvent.BUILD_ABORTED, 1);
        pass(Duration.ofSeconds(10));
        reanchor.tick();
        assertThat(events).containsEntry(ArtifactEvent.BUILD_ABORTED, 2);
        pass(Duration.ofSeconds(10));
        reanchor.tick();
        assertThat(events).as("now 20 s").containsEntry(ArtifactEvent.BUILD_ABORTED, 2);

        ledgerDown = false;
        pass(Duration.ofSeconds(10));
        reanchor.tick();

        assertThat(windows.installed().orElseThrow().anchorMs()).isEqualTo(nowMs.get() - 1);
    }

    @Test
    void noReanchorHappensWhileABlockIsBeingAccounted() {
        install(readNow());
        pass(Duration.ofSeconds(70));
        windows.serving(need());
        payout.parents().landed(Hash256.ZERO, 1);

        reanchor.tick();

        assertThat(events).containsEntry(ArtifactEvent.DEBOUNCED, 1).doesNotContainKey(ArtifactEvent.BUILT);
    }

    @Test
    void aFoundBlockBypassesTheIntervalBeforeItsChildrenAreBuilt() throws Exception {
        install(readNow());
        pass(Duration.ofSeconds(7));
        ledger.add(share(6, nowMs.get() - 10));
        found();

        assertThat(windows.serving(need())).hasValueSatisfying(w -> {
            assertThat(w.shares()).hasSize(6);
            assertThat(w.anchorMs()).isEqualTo(nowMs.get() - 1);
        });
        assertThat(events).containsEntry(ArtifactEvent.INCREMENTAL, 1).containsEntry(ArtifactEvent.BUILT, 1);
    }

    @Test
    void aLedgerThatFailsThenLeavesTheOlderWindowToTheChildren() throws Exception {
        install(readNow());
        pass(Duration.ofSeconds(7));
        ledger.add(share(6, nowMs.get() - 10));
        ledgerDown = true;
        found();

        assertThat(windows.serving(need()))
                .hasValueSatisfying(w -> assertThat(w.shares()).hasSize(5));
        assertThat(events).containsEntry(ArtifactEvent.BUILD_ABORTED, 1);
    }

    private void found() throws Exception {
        payout.parents().landed(Hash256.ZERO, 1);
        PreviewOutcome preview = payout.publishPreview(
                Hash256.ZERO, List.of(), Deadline.unbounded(MonotonicClock.system(), "test"), CancelSignal.never());
        assertThat(preview).isEqualTo(PreviewOutcome.PUBLISHED);
        windows.retag(payout.published()); // as whoever follows the payout state does
    }

    @Test
    void thePeriodicFullReadWinsOverAFoldThatLied() {
        install(readNow());
        pass(Duration.ofHours(1));
        install(readNow());
        fullReads = 0;
        pass(Duration.ofSeconds(70));
        windows.serving(need());
        ledger.add(share(6, nowMs.get() - 10));
        lieAboutDelta = true;

        reanchor.tick();

        assertThat(events).containsEntry(ArtifactEvent.SELF_CHECK_MISMATCH, 1);
        assertThat(windows.installed().orElseThrow().shares()).hasSize(6);
    }

    @Test
    void thePeriodicCheckRepairsBalancesInPlace() {
        install(readNow());
        pass(Duration.ofHours(1));
        install(readNow());
        pass(Duration.ofSeconds(70));
        windows.serving(need());
        balances = List.of(PriorBalance.of(MINER, BigInteger.TEN));

        reanchor.tick();

        assertThat(events).containsEntry(ArtifactEvent.BALANCE_CHECK_MISMATCH, 1);
        assertThat(payout.published().generation()).isEqualTo(1);
        assertThat(payout.published().artifact()).isEqualTo(BalanceArtifact.of(balances));
    }

    @Test
    void theStartUpRuleHoldsTheCeilingAboveTwiceTheCadence() {
        assertThatThrownBy(() -> new PreparedWindowConfig(
                        true,
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(150),
                        Duration.ofSeconds(300),
                        Duration.ofHours(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private WindowRead readNow() {
        return windows.read(need(), nowMs.get() - 1, Deadline.unbounded(clock, "test"));
    }

    private void install(WindowRead read) {
        windows.install(read.window(), need());
        read.close();
    }

    private WindowNeed need() {
        return new WindowNeed(DIFFICULTY, payout.published(), payout.appends().epoch());
    }

    private void pass(Duration step) {
        clock.advance(step);
        nowMs.addAndGet(step.toMillis());
    }

    private static WindowShare share(long seq, long acceptedMs) {
        return new WindowShare(
                seq,
                "s" + seq,
                MINER,
                U128.ofUnsigned(10),
                DIFFICULTY,
                1,
                "j",
                acceptedMs,
                acceptedMs,
                1,
                Optional.empty());
    }

    private WindowSource source() {
        return new WindowSource() {
            @Override
            public List<WindowShare> newest(long anchorMs, U128 weight, Deadline deadline) {
                fullReads++;
                return ledger.stream().filter(s -> s.isEligibleAt(anchorMs)).toList();
            }

            @Override
            public List<WindowShare> becameEligible(long afterMs, long anchorMs, Deadline deadline) {
                if (ledgerDown) {
                    throw new IllegalStateException("ledger down");
                }
                if (lieAboutDelta) {
                    return List.of();
                }
                return ledger.stream()
                        .filter(s -> s.isEligibleAt(anchorMs) && !s.isEligibleAt(afterMs))
                        .toList();
            }
        };
    }

    private WindowClock wall() {
        return new WindowClock() {
            @Override
            public long nowMs() {
                return nowMs.get();
            }

            @Override
            public long cleanAnchorMs() {
                return nowMs.get() - 1;
            }
        };
    }

    private PayoutStateMetrics metrics() {
        return new PayoutStateMetrics() {
            @Override
            public void artifact(ArtifactEvent event) {
                events.merge(event, 1, Integer::sum);
            }
        };
    }
}
