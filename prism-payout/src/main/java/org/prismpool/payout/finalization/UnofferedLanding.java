package org.prismpool.payout.finalization;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.state.LandingDecision;
import org.prismpool.payout.state.LandingPermit;
import org.prismpool.payout.state.ProspectiveBalances;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.templates.block.AbandonReason;
import org.prismpool.templates.block.OfferOutcome;

/**
 * Offers a candidate that no node has seen, after a restart: its window must still contain every durable share and its
 * balances must still be the ledger's (spec 03 §6.8 steps 1, 5, 6; 06 §2.7). Offered candidates never come here: their
 * coinbase has paid the window as issued.
 */
final class UnofferedLanding {

    StepResult offer(FinalizationRun run, PhaseContext context) throws InterruptedException {
        boolean collection = run.intent().work().collectionOnly();
        long epoch = context.payout().appends().epoch(); // before the read: a later bump makes the permit stale
        if (!collection && omitsDurableShare(run, context)) {
            return new StepResult.Abandon(AbandonReason.APPEND_EPOCH_STALE, "the payout window omits a durable share");
        }
        if (!collection && balancesMoved(run, context)) {
            return new StepResult.Abandon(AbandonReason.BALANCE_STALE, "prior balances are no longer current");
        }
        context.payout().parents().landed(run.hash(), run.height());
        if (!context.ports().guards().leaseHeld(context.nodeDeadline())) {
            context.payout().parents().unlanded(run.hash());
            return StepResult.retry("the writer lease is not provably held");
        }
        LandingDecision decision =
                context.payout().appends().land(anchor(run), epoch, context.landingDeadline(run), context.stop());
        if (decision instanceof LandingDecision.Permitted permitted) {
            return offerUnder(permitted.permit(), run, context);
        }
        context.payout().parents().unlanded(run.hash());
        if (decision instanceof LandingDecision.Stale && !collection) {
            return new StepResult.Abandon(
                    AbandonReason.APPEND_EPOCH_STALE, "a share row became durable below the window's anchor");
        }
        return StepResult.retry("share appends below the window's anchor are under way");
    }

    private static StepResult offerUnder(LandingPermit permit, FinalizationRun run, PhaseContext context) {
        OfferOutcome outcome;
        try (permit) {
            outcome = context.lane().offer(run.candidate(), context.nodeDeadline());
        }
        if (outcome instanceof OfferOutcome.NotOffered notOffered) {
            context.payout().parents().unlanded(run.hash());
            return new StepResult.Abandon(notOffered.reason(), "the parent is no longer the tip");
        }
        if (outcome instanceof OfferOutcome.Undecided undecided) {
            if (!undecided.sent()) {
                context.payout().parents().unlanded(run.hash());
            }
            return StepResult.nodeUnavailable(undecided.detail());
        }
        if (outcome instanceof OfferOutcome.Refused refused) {
            return new StepResult.Abandon(AbandonReason.SUBMITBLOCK_REJECTED, "submitblock returned " + refused.text());
        }
        return StepResult.CONTINUE;
    }

    /** Only omissions count: what the window has beyond the ledger was durable once and can't vanish. */
    private static boolean omitsDurableShare(FinalizationRun run, PhaseContext context) {
        U128 weight = run.intent().work().foundBlock().networkDifficulty().times(RewardWindow.MULTIPLIER);
        List<WindowShare> durable = context.calls()
                .landingValue(run.hash(), deadline -> context.ports().shares().newest(anchor(run), weight, deadline));
        Set<String> recorded =
                run.intent().work().shares().stream().map(WindowShare::shareId).collect(Collectors.toSet());
        return durable.stream().anyMatch(share -> !recorded.contains(share.shareId()));
    }

    private static boolean balancesMoved(FinalizationRun run, PhaseContext context) {
        Deadline deadline = context.landingDeadline(run);
        Map<String, BigInteger> ledger =
                ProspectiveBalances.byProgram(context.ports().balances().confirmedBalances(deadline, context.stop()));
        return !ledger.equals(ProspectiveBalances.byProgram(run.intent().work().priorBalances()));
    }

    private static long anchor(FinalizationRun run) {
        return run.intent().work().foundBlock().anchorJobIssuedAtMs();
    }
}
