package org.prismpool.payout.finalization;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.prismpool.payout.state.ParentTransition;
import org.prismpool.payout.state.PayoutCause;
import org.prismpool.templates.block.AbandonDecision;
import org.prismpool.templates.block.AbandonReason;
import org.prismpool.templates.block.AccountingResult;
import org.prismpool.templates.block.AccountingResult.RetryReason;
import org.prismpool.templates.block.OfferedCandidate;
import org.prismpool.templates.block.PreviewSwitch;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass of accounting over one candidate: attempt mark, phases in order, terminal outbox row.
 *
 * <p>Confined to the finalizer's thread. {@code finalizeOnly} holds the blocks whose accounting is complete but whose
 * outbox row could not be ended yet: their repetition writes that row only.
 */
final class FinalizationPass {

    private static final Logger LOG = LoggerFactory.getLogger(FinalizationPass.class);

    private final PhaseContext context;
    private final List<Phase> phases = List.of(
            new AdmissionPhase(),
            new LandConfirmPhase(),
            new CtvCreditPhase(),
            new EvidencePhase(),
            new AuditPublishPhase());
    private final Map<Hash256, AccountingResult> finalizeOnly = new HashMap<>();
    private final Set<Hash256> confirmedHere = new HashSet<>(); // by this process, not counted yet

    FinalizationPass(PhaseContext context) {
        this.context = context;
    }

    /** Accounts the candidate as far as it goes now; never throws for a fault of a port. */
    AccountingResult account(OfferedCandidate offered) throws InterruptedException {
        Hash256 hash = offered.candidate().hash();
        AccountingResult complete = finalizeOnly.get(hash);
        if (complete != null) {
            return end(hash, complete);
        }
        Optional<CandidateIntent> intent = decode(offered);
        if (intent.isEmpty()) {
            return end(
                    hash,
                    new AccountingResult.Abandoned(AbandonReason.INVALID_INTENT, "invalid durable candidate intent"));
        }
        FinalizationRun run = new FinalizationRun(offered, intent.get());
        try {
            context.calls().fast(deadline -> context.ports().outbox().attempted(hash, deadline));
            return conclude(run, phases(run));
        } catch (RuntimeException fault) {
            return failed(run, fault);
        } finally {
            if (run.confirmedHere()) {
                confirmedHere.add(hash); // a later phase may fail: the pass that ends it still counts the block
            }
        }
    }

    private Optional<CandidateIntent> decode(OfferedCandidate offered) {
        try {
            return Optional.of(IntentCodec.decode(
                    offered.candidate().hash(), offered.candidate().intentJson()));
        } catch (InvalidIntentException invalid) {
            LOG.atError()
                    .addKeyValue("hash", offered.candidate().hash().displayHex())
                    .setCause(invalid)
                    .log("candidate intent can't be accounted");
            return Optional.empty();
        }
    }

    private StepResult phases(FinalizationRun run) throws InterruptedException {
        for (Phase phase : phases) {
            StepResult result = measured(phase, run);
            if (result != StepResult.CONTINUE) {
                return result;
            }
        }
        return StepResult.CONTINUE;
    }

    private StepResult measured(Phase phase, FinalizationRun run) throws InterruptedException {
        long started = context.clock().nanoTime();
        try {
            return phase.run(run, context);
        } finally {
            context.ports().metrics().phase(phase.name(), context.clock().nanoTime() - started);
        }
    }

    private AccountingResult conclude(FinalizationRun run, StepResult result) {
        if (result instanceof StepResult.Abandon abandon) {
            return abandon(run, abandon);
        }
        if (result instanceof StepResult.Retry retry) {
            return new AccountingResult.Retry(retry.reason(), retry.message());
        }
        if (result instanceof StepResult.Park) {
            context.payout().withdraw(run.hash(), context.payout().source().tip());
            context.payout().parents().cleared(run.hash());
            return new AccountingResult.Parked();
        }
        return succeeded(run);
    }

    /** The process-local end of accounting: counted once, whatever happens to the outbox row. */
    private AccountingResult succeeded(FinalizationRun run) {
        long started = context.clock().nanoTime();
        boolean newlyAccounted = !run.confirmedBefore() || confirmedHere.contains(run.hash());
        AccountingResult success = new AccountingResult.Submitted(newlyAccounted);
        finalizeOnly.put(run.hash(), success);
        context.ports().events().accounted(run.intent(), run.publicationSequence());
        context.ports()
                .metrics()
                .phase(FinalizationPhase.ACCOUNTING, context.clock().nanoTime() - started);
        LOG.atInfo()
                .addKeyValue("hash", run.hash().displayHex())
                .addKeyValue("height", run.height())
                .addKeyValue("ordinal", run.publicationSequence())
                .log("block accounted");
        return end(run.hash(), success);
    }

    private AccountingResult abandon(FinalizationRun run, StepResult.Abandon abandon) {
        Withdrawal preview = new Withdrawal(run);
        AbandonDecision decision =
                context.lane().abandon(run.candidate(), abandon.reason(), preview, context.nodeDeadline());
        return switch (decision) {
            case DEFERRED ->
                new AccountingResult.Retry(
                        RetryReason.ACCEPTED_PENDING_FINALIZATION, "evidence of acceptance: " + abandon.message());
            case ALREADY_SUBMITTED -> end(run.hash(), new AccountingResult.Submitted(false));
            case SEALED -> sealed(run, abandon);
        };
    }

    /**
     * Strictly after the seal: from here on no observation can bring the block back, so its rows may go. If they do not, the
     * next pass asks the chain again, as after a crash here.
     */
    private AccountingResult sealed(FinalizationRun run, StepResult.Abandon abandon) {
        AccountingResult result = new AccountingResult.Abandoned(abandon.reason(), abandon.message());
        if (run.rowsTouched() || run.row().state() == BlockRow.State.PREPARED) {
            context.calls()
                    .landing(run.hash(), deadline -> context.ports().ledger().rejectPrepared(run.hash(), deadline));
        }
        context.payout().parents().cleared(run.hash());
        return end(run.hash(), result);
    }

    /** Ends the outbox row; until that is durable the entry stays and repetitions do nothing else. */
    private AccountingResult end(Hash256 hash, AccountingResult result) {
        finalizeOnly.put(hash, result);
        try {
            if (result instanceof AccountingResult.Abandoned abandoned) {
                context.calls()
                        .fast(deadline ->
                                context.ports().outbox().abandoned(hash.displayHex(), abandoned.message(), deadline));
            } else {
                context.calls().fast(deadline -> context.ports().outbox().submitted(hash, deadline));
            }
        } catch (RuntimeException fault) {
            LOG.atWarn()
                    .addKeyValue("hash", hash.displayHex())
                    .setCause(fault)
                    .log("outbox row of an accounted block not ended yet");
            return new AccountingResult.Retry(
                    RetryReason.INTERNAL_ERROR, "outbox row not ended: " + fault.getMessage());
        }
        finalizeOnly.remove(hash);
        confirmedHere.remove(hash);
        context.calls().forget(hash);
        return result;
    }

    private AccountingResult failed(FinalizationRun run, RuntimeException fault) {
        LOG.atWarn()
                .addKeyValue("hash", run.hash().displayHex())
                .setCause(fault)
                .log("block accounting will be repeated");
        if (run.rowsTouched() && !finalizeOnly.containsKey(run.hash())) {
            // Rows may be there although the reply is lost: nothing may be published from before them.
            context.payout().supersede(context.payout().source().tip(), PayoutCause.DIRECT_BLOCK_UNCERTAIN);
        }
        return new AccountingResult.Retry(RetryReason.INTERNAL_ERROR, String.valueOf(fault.getMessage()));
    }

    int unfinished() {
        return finalizeOnly.size();
    }

    /** The payout preview of the candidate under decision. */
    private final class Withdrawal implements PreviewSwitch {
        private final FinalizationRun run;
        private Optional<ParentTransition> before = Optional.empty();

        private Withdrawal(FinalizationRun run) {
            this.run = run;
        }

        @Override
        public void withdraw() {
            before = context.payout()
                    .withdraw(run.hash(), context.payout().source().tip());
        }

        @Override
        public void restore() {
            if (before.isEmpty()) {
                return;
            }
            try {
                context.payout().restore(before.get(), context.landingDeadline(run), context.stop());
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
