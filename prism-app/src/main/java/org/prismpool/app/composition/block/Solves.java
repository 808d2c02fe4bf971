package org.prismpool.app.composition.block;

import java.util.Optional;
import org.prismpool.bundle.WorkBundle;
import org.prismpool.payout.finalization.CandidateIntent;
import org.prismpool.payout.finalization.EncodedIntent;
import org.prismpool.payout.finalization.IntentCodec;
import org.prismpool.payout.finalization.IntentShare;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.OutboxIntent;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.stratum.AcceptedShare;
import org.prismpool.stratum.BlockSolve;
import org.prismpool.stratum.JobContext;
import org.prismpool.templates.block.BlockCandidate;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.job.AssembledBlock;
import org.prismpool.templates.job.WorkTemplate;

/** A found block in the words of its owners: the intent that makes it durable and the candidate that is offered. Stateless. */
final class Solves {

    private Solves() {}

    /**
     * A solve with everything that must survive a restart.
     *
     * @param candidate what the lane offers
     * @param intent what the outbox stores
     */
    record Prepared(BlockCandidate candidate, OutboxIntent intent) {}

    /**
     * Assembles the block and its intent; costs time in proportion to the block and its window, so never on an event loop.
     *
     * @param solve the solve
     * @param acceptedAtMs the share's stamp
     * @param credit how the share of this solve is credited
     */
    static Prepared prepare(BlockSolve solve, long acceptedAtMs, BlockCandidate.ShareCredit credit) {
        AcceptedShare share = solve.share();
        JobContext job = share.submission().job();
        WorkTemplate work = job.work().template();
        WorkBundle bundle = (WorkBundle) job.work().labels().origin();
        AssembledBlock block = solve.assemble();
        CandidateIntent intent = new CandidateIntent(
                new CandidateIntent.Solution(
                        block.hash(),
                        work.parent(),
                        work.height(),
                        work.terms().coinbaseValueSats(),
                        block.hex(),
                        block.coinbaseHex(),
                        job.extranonce1Hex(),
                        share.submission().extranonce2Hex()),
                bundle.inputs(),
                share.worker().username(),
                intentShare(share, acceptedAtMs),
                credit == BlockCandidate.ShareCredit.WHEN_LANDED);
        EncodedIntent encoded = IntentCodec.encode(intent);
        BlockCandidate candidate = new BlockCandidate(
                block.hash(), work.parent(), work.height(), block.hex(), block.coinbaseHex(), encoded.json(), credit);
        return new Prepared(candidate, new OutboxIntent(block.hash().displayHex(), encoded.json(), encoded.sha256()));
    }

    private static IntentShare intentShare(AcceptedShare share, long acceptedAtMs) {
        return new IntentShare(
                share.shareId(),
                new PayoutIdentity(
                        share.minerId(), share.minerId(), share.worker().programHex()),
                U128.of(share.shareDifficulty()),
                U128.of(share.networkDifficulty()),
                share.templateHeight(),
                share.submission().job().jobId(),
                share.submission().job().issuedAtMillis(),
                acceptedAtMs,
                share.submission().ntime(),
                share.creditPolicy());
    }

    /** The ledger row of a share. */
    static PendingShare pending(AcceptedShare share, long acceptedAtMs) {
        return new PendingShare(
                share.shareId(),
                share.minerId(),
                share.minerId(),
                P2mrProgram.ofHex(share.worker().programHex()),
                share.shareDifficulty(),
                share.networkDifficulty(),
                share.templateHeight(),
                share.submission().job().jobId(),
                share.submission().job().issuedAtMillis(),
                acceptedAtMs,
                share.submission().ntime(),
                CreditPolicy.ofText(share.creditPolicy()));
    }

    /** The ledger row that an intent credits once its block lands. */
    static PendingShare pending(CandidateIntent intent) {
        IntentShare share = intent.share();
        return new PendingShare(
                share.shareId(),
                share.identity().recipientId(),
                share.identity().orderKey(),
                P2mrProgram.ofHex(share.identity().programHex()),
                share.shareDifficulty().toBigInteger(),
                share.networkDifficulty().toBigInteger(),
                share.templateHeight(),
                share.jobId(),
                share.jobIssuedAtMs(),
                share.acceptedAtMs(),
                share.ntime(),
                CreditPolicy.ofText(share.creditPolicy()));
    }

    /** How a decoded intent's share is credited. */
    static BlockCandidate candidate(CandidateIntent intent, String json, boolean shareStored) {
        BlockCandidate.ShareCredit credit = shareStored
                ? BlockCandidate.ShareCredit.COMMITTED
                : intent.creditShareOnAccept()
                        ? BlockCandidate.ShareCredit.WHEN_LANDED
                        : BlockCandidate.ShareCredit.NONE;
        CandidateIntent.Solution solution = intent.solution();
        return new BlockCandidate(
                solution.hash(),
                solution.parent(),
                solution.height(),
                solution.blockHex(),
                solution.coinbaseHex(),
                json,
                credit);
    }

    /** Whether the job's parent is known to be dead: neither the published nor the newest tip. */
    static boolean deadParent(BlockSolve solve, Optional<Hash256> detected, Optional<Hash256> published) {
        if (detected.isEmpty() && published.isEmpty()) {
            return false;
        }
        Optional<Hash256> parent = Optional.of(solve.parent());
        return !parent.equals(detected) && !parent.equals(published);
    }
}
