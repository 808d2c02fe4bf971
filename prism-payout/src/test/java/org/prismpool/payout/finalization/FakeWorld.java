package org.prismpool.payout.finalization;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.AuditVerifier;
import org.prismpool.payout.ctv.FanoutManifestSet;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.state.BalanceSerializer;
import org.prismpool.payout.state.PayoutEvents;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.payout.state.PayoutStateConfig;
import org.prismpool.payout.state.PayoutStateMetrics;
import org.prismpool.payout.state.PayoutStatePorts;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.payout.window.WindowSource;
import org.prismpool.templates.block.AbandonDecision;
import org.prismpool.templates.block.AbandonReason;
import org.prismpool.templates.block.AccountingResult;
import org.prismpool.templates.block.BlockCandidate;
import org.prismpool.templates.block.CandidateOutbox;
import org.prismpool.templates.block.ChainVerdict;
import org.prismpool.templates.block.OfferOutcome;
import org.prismpool.templates.block.OutboxCursor;
import org.prismpool.templates.block.OutboxRow;
import org.prismpool.templates.block.PreviewSwitch;
import org.prismpool.templates.chain.Hash256;

/**
 * Ledger, chain, outbox and audit store of one test, in memory, with the faults that the test asks for. What is in the
 * ledger, the outbox and the audit trail survives {@link #restart}; everything of the process does not.
 */
final class FakeWorld {

    final ManualClock clock = new ManualClock();
    final List<String> log = new ArrayList<>();

    final Map<Hash256, BlockRow> rows = new HashMap<>();
    final Map<Hash256, AcceptedBlock> persisted = new HashMap<>();
    final List<Hash256> confirmedInOrder = new ArrayList<>();
    final Map<Hash256, String> outboxRows = new HashMap<>();
    final Map<Hash256, Long> published = new HashMap<>();
    final List<Hash256> sharesCredited = new ArrayList<>();
    List<PriorBalance> confirmedBalances = SolvedBlock.owedBefore();
    final Map<Hash256, List<PriorBalance>> balancesAfter = new HashMap<>();
    List<WindowShare> durableShares = SolvedBlock.shares();

    final Map<Hash256, ChainVerdict> chain = new HashMap<>();
    final Deque<ChainVerdict> nextProbes = new ArrayDeque<>();
    boolean evidence;
    boolean leaseHeld = true;
    boolean reconciled = true;
    OfferOutcome nextOffer = new OfferOutcome.Accepted();
    Confirmation nextConfirmation = new Confirmation.Confirmed(1);
    boolean confirmationScripted;
    String failOnceAt = "";
    String crashAfter = "";

    final List<AccountingResult> settled = new ArrayList<>();
    final List<String> shutdowns = new ArrayList<>();
    final List<Hash256> accounted = new ArrayList<>();
    final List<FinalizationPhase> phases = new ArrayList<>();
    final List<String> refreshes = new ArrayList<>();

    PayoutState payout;
    FinalizationPass pass;

    FakeWorld() {
        payout = newPayout();
        pass = newPass();
    }

    /** A crash that no code of the process survives: the port call has happened, its caller never learns of it. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }

    void restart() {
        crashAfter = "";
        failOnceAt = "";
        payout = newPayout();
        pass = newPass();
    }

    private PayoutState newPayout() {
        PayoutEvents events = new PayoutEvents() {
            @Override
            public void refreshWanted(String reason) {
                refreshes.add(reason);
            }
        };
        PayoutState state = new PayoutState(
                PayoutStateConfig.DEFAULT,
                new PayoutStatePorts(
                        (deadline, cancel) -> confirmedBalances,
                        (height, deadline) -> Optional.empty(),
                        events,
                        new PayoutStateMetrics() {}),
                clock);
        try {
            state.publishCurrent(true, Deadline.unbounded(clock, "test"), CancelSignal.never());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        state.parents().replayEnumerated();
        return state;
    }

    FinalizerPorts ports() {
        return new FinalizerPorts(
                ledger(),
                settlement(),
                outbox(),
                new InProcessRebuilder(
                        new AuditBundleBuilder(SolvedBlock.MANIFEST_KEY, SolvedBlock.LEDGER_KEY),
                        new AuditVerifier(SolvedBlock.LEDGER_KEY.publicKeyHex()),
                        () -> {
                            throw new IllegalStateException("current rules must not be read");
                        }),
                audit(),
                guards(),
                (deadline, cancel) -> confirmedBalances,
                shares(),
                events(),
                metrics());
    }

    private FinalizationPass newPass() {
        FinalizerPorts ports = ports();
        FinalizerConfig config = FinalizerConfig.DEFAULT;
        return new FinalizationPass(new PhaseContext(
                config,
                ports,
                payout,
                new BalanceSerializer(),
                lane(),
                new LedgerCalls(config, clock, ports.metrics()),
                CancelSignal.never(),
                clock));
    }

    AccountingResult account(SolvedBlock block, OfferOutcome outcome) {
        try {
            AccountingResult result = pass.account(block.offered(outcome));
            settled.add(result);
            return result;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void call(String name) {
        log.add(name);
        if (failOnceAt.equals(name)) {
            failOnceAt = "";
            throw new IllegalStateException("scripted failure at " + name);
        }
    }

    void done(String name) {
        if (crashAfter.equals(name)) {
            throw new Crash();
        }
    }

    private BlockLedger ledger() {
        return new BlockLedger() {
            @Override
            public BlockRow row(Hash256 hash, Deadline deadline) {
                call("row");
                return rows.getOrDefault(hash, BlockRow.ABSENT);
            }

            @Override
            public void persist(AcceptedBlock block, Deadline deadline) {
                call("persist");
                Hash256 hash = block.solution().hash();
                AcceptedBlock known = persisted.putIfAbsent(hash, block);
                if (known != null
                        && !known.document().sha256Hex().equals(block.document().sha256Hex())) {
                    throw new BlockRowMismatchException("existing audit bundle does not match payload");
                }
                rows.putIfAbsent(hash, new BlockRow(BlockRow.State.PREPARED, 0));
                done("persist");
            }

            @Override
            public Confirmation confirm(Hash256 hash, long expectedHeight, Deadline deadline) {
                call("confirm");
                if (confirmationScripted) {
                    return nextConfirmation;
                }
                if (rows.get(hash).state() == BlockRow.State.PREPARED) {
                    confirmedInOrder.add(hash);
                    rows.put(hash, new BlockRow(BlockRow.State.CONFIRMED, confirmedInOrder.size()));
                    confirmedBalances = balancesAfter.getOrDefault(hash, confirmedBalances);
                }
                done("confirm");
                return new Confirmation.Confirmed(rows.get(hash).publicationSequence());
            }

            @Override
            public void rejectPrepared(Hash256 hash, Deadline deadline) {
                call("reject");
                rows.computeIfPresent(
                        hash,
                        (h, row) -> row.state() == BlockRow.State.PREPARED
                                ? new BlockRow(BlockRow.State.REJECTED, 0)
                                : row);
            }

            @Override
            public List<PriorBalance> balancesAfter(Hash256 hash, Deadline deadline) {
                call("balances");
                return balancesAfter.getOrDefault(hash, confirmedBalances);
            }
        };
    }

    private SettlementRows settlement() {
        return new SettlementRows() {
            @Override
            public void storeFanouts(Hash256 block, FanoutManifestSet fanouts, Deadline deadline) {
                call("fanouts");
            }

            @Override
            public void creditShare(CandidateIntent intent, Deadline deadline) {
                call("credit");
                sharesCredited.add(intent.solution().hash());
            }

            @Override
            public BlockEvidence.ShareCounts shareCounts(Deadline deadline) {
                call("counts");
                return new BlockEvidence.ShareCounts(31, 2);
            }
        };
    }

    private CandidateOutbox outbox() {
        return new CandidateOutbox() {
            @Override
            public List<OutboxRow> pendingPage(Optional<OutboxCursor> after, int limit, Deadline deadline) {
                return List.of();
            }

            @Override
            public void attempted(Hash256 hash, Deadline deadline) {
                call("attempted");
                outboxRows.put(hash, "pending");
                done("attempted");
            }

            @Override
            public void submitted(Hash256 hash, Deadline deadline) {
                call("submitted");
                outboxRows.put(hash, "submitted");
            }

            @Override
            public void abandoned(String hashHex, String message, Deadline deadline) {
                call("abandoned");
                outboxRows.put(Hash256.ofDisplayHex(hashHex), "abandoned: " + message);
            }

            @Override
            public void insertSpooled(BlockCandidate candidate, Deadline deadline) {
                call("spooled");
            }
        };
    }

    private AuditTrail audit() {
        return new AuditTrail() {
            @Override
            public StoredBody store(CandidateIntent intent, AuditDocument document, Deadline deadline) {
                call("store");
                return new StoredBody(Optional.of("body-" + document.sha256Hex()), 1);
            }

            @Override
            public void publish(BlockEvidence evidence, Deadline deadline) {
                call("publish");
                published.put(evidence.intent().solution().hash(), evidence.publicationSequence());
                done("publish");
            }
        };
    }

    private LandingGuards guards() {
        return new LandingGuards() {
            @Override
            public boolean reconciled(Hash256 block, Deadline deadline) {
                return reconciled;
            }

            @Override
            public boolean leaseHeld(Deadline deadline) {
                return leaseHeld;
            }
        };
    }

    private WindowSource shares() {
        return new WindowSource() {
            @Override
            public List<WindowShare> newest(long anchorMs, U128 weight, Deadline deadline) {
                call("window");
                return durableShares;
            }

            @Override
            public List<WindowShare> becameEligible(long afterMs, long anchorMs, Deadline deadline) {
                return List.of();
            }
        };
    }

    private FinalizerEvents events() {
        return new FinalizerEvents() {
            @Override
            public void accounted(CandidateIntent intent, long publicationSequence) {
                accounted.add(intent.solution().hash());
            }

            @Override
            public void shutdownRequested(String reason, String message) {
                shutdowns.add(reason);
            }
        };
    }

    private FinalizerMetrics metrics() {
        return new FinalizerMetrics() {
            @Override
            public void phase(FinalizationPhase phase, long nanos) {
                phases.add(phase);
            }
        };
    }

    private OfferLane lane() {
        return new OfferLane() {
            @Override
            public void settle(Hash256 hash, AccountingResult result) {
                settled.add(result);
            }

            @Override
            public ChainVerdict probe(BlockCandidate candidate, Deadline deadline) {
                ChainVerdict scripted = nextProbes.poll();
                return scripted != null ? scripted : chain.getOrDefault(candidate.hash(), ChainVerdict.UNKNOWN);
            }

            @Override
            public AbandonDecision abandon(
                    BlockCandidate candidate, AbandonReason reason, PreviewSwitch preview, Deadline deadline) {
                preview.withdraw();
                if (evidence) {
                    preview.restore();
                    return AbandonDecision.DEFERRED;
                }
                log.add("sealed");
                return AbandonDecision.SEALED;
            }

            @Override
            public OfferOutcome offer(BlockCandidate candidate, Deadline deadline) {
                log.add("offer");
                return nextOffer;
            }
        };
    }

    void active(SolvedBlock block) {
        chain.put(block.hash(), ChainVerdict.ACTIVE);
        balancesAfter.put(block.hash(), block.after());
    }

    void advance(Duration step) {
        clock.advance(step);
    }
}
