package org.prismpool.app.composition.block;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.finalization.CandidateIntent;
import org.prismpool.payout.finalization.EncodedIntent;
import org.prismpool.payout.finalization.IntentCodec;
import org.prismpool.payout.finalization.InvalidIntentException;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.OutboxIntent;
import org.prismpool.sharewriter.block.CandidateRow;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.block.OutboxPosition;
import org.prismpool.templates.block.BlockCandidate;
import org.prismpool.templates.block.CandidateOutbox;
import org.prismpool.templates.block.OutboxCursor;
import org.prismpool.templates.block.OutboxRow;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The durable outbox of found blocks, over the ledger's rows. */
public final class OutboxAdapter implements CandidateOutbox {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxAdapter.class);

    private final Ledger ledger;
    private final BarrierWrites writes;
    private final CreditHolds credits;

    public OutboxAdapter(Ledger ledger, BarrierWrites writes, CreditHolds credits) {
        this.ledger = ledger;
        this.writes = writes;
        this.credits = credits;
    }

    @Override
    public List<OutboxRow> pendingPage(Optional<OutboxCursor> after, int limit, Deadline deadline) {
        OutboxPosition position = after.map(cursor -> new OutboxPosition(
                        ChronoUnit.MICROS.between(Instant.EPOCH, cursor.createdAt()), cursor.hashHex()))
                .orElse(OutboxPosition.START);
        List<OutboxRow> rows = new ArrayList<>();
        for (CandidateRow row : ledger.outbox().pending(position, limit, deadline)) {
            rows.add(row(row));
        }
        return rows;
    }

    private OutboxRow row(CandidateRow row) {
        OutboxCursor cursor = new OutboxCursor(
                Instant.EPOCH.plus(row.position().createdAtMicros(), ChronoUnit.MICROS), row.blockHash());
        return new OutboxRow(cursor, candidate(row), row.attempts(), ledgerEvidence(row));
    }

    private Optional<BlockCandidate> candidate(CandidateRow row) {
        if (row.intentJson().isEmpty()) {
            return Optional.empty();
        }
        String json = row.intentJson().get();
        try {
            CandidateIntent intent = IntentCodec.decode(Hash256.ofDisplayHex(row.blockHash()), json);
            BlockCandidate candidate =
                    Solves.candidate(intent, json, row.shareId().isPresent());
            if (candidate.credit() == BlockCandidate.ShareCredit.WHEN_LANDED) {
                // Before anyone sees it: no window may be anchored above a share that may still be credited.
                credits.holdAt(candidate.hash(), intent.share().acceptedAtMs());
            }
            return Optional.of(candidate);
        } catch (InvalidIntentException | IllegalArgumentException undecodable) {
            LOG.atError()
                    .addKeyValue("block_hash", row.blockHash())
                    .setCause(undecodable)
                    .log("durable block candidate cannot be decoded");
            return Optional.empty();
        }
    }

    private static boolean ledgerEvidence(CandidateRow row) {
        return row.landed()
                .map(state -> state == ChainState.PREPARED || state == ChainState.CONFIRMED)
                .orElse(false);
    }

    @Override
    public void attempted(Hash256 hash, Deadline deadline) {
        boolean pending = writes.call(() -> ledger.outbox().attempted(hash.displayHex(), deadline));
        if (!pending && ledger.outbox().find(hash.displayHex(), deadline).isEmpty()) {
            // Accounted now, its intent would come from the spool afterwards and stay pending for ever.
            throw new IllegalStateException("the intent of block " + hash.displayHex() + " is not durable yet");
        }
    }

    @Override
    public void submitted(Hash256 hash, Deadline deadline) {
        writes.run(() -> ledger.outbox().finish(hash.displayHex(), CandidateState.SUBMITTED, "", deadline));
    }

    @Override
    public void abandoned(String hashHex, String message, Deadline deadline) {
        writes.run(() -> ledger.outbox().finish(hashHex, CandidateState.ABANDONED, message, deadline));
    }

    @Override
    public Set<String> abandonSuperseded(Collection<String> hashesHex, String message, Deadline deadline) {
        Set<String> ended = writes.call(() -> ledger.outbox().abandonSuperseded(hashesHex, message, deadline));
        ended.forEach(hash -> credits.release(Hash256.ofDisplayHex(hash)));
        return ended;
    }

    @Override
    public void insertSpooled(BlockCandidate candidate, Deadline deadline) {
        writes.run(() -> ledger.outbox().insert(intent(candidate), deadline));
    }

    static OutboxIntent intent(BlockCandidate candidate) {
        EncodedIntent encoded;
        try {
            encoded = IntentCodec.encode(IntentCodec.decode(candidate.hash(), candidate.intentJson()));
        } catch (InvalidIntentException damaged) {
            throw new IllegalStateException(
                    "a spooled block cannot be decoded: " + candidate.hash().displayHex(), damaged);
        }
        return new OutboxIntent(candidate.hash().displayHex(), encoded.json(), encoded.sha256());
    }
}
