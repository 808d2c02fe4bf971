package org.prismpool.templates.block;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings candidates of earlier processes, of the spool and of overflowed wake-ups into the registry.
 *
 * <p>Blocking; called on one thread at a time but for {@link #spool}. The gate is readable from any thread.
 */
final class OutboxReader {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxReader.class);
    private static final int PAGE = 32;

    private final CandidatePorts ports;
    private final CandidateBook book;
    private final LaneConfig config;
    private final AtomicBoolean enumerated = new AtomicBoolean();
    private final Queue<BlockCandidate> unwritten = new ConcurrentLinkedQueue<>(); // as many as solves at a time
    private final AtomicInteger unpersisted = new AtomicInteger();

    OutboxReader(CandidatePorts ports, CandidateBook book, LaneConfig config) {
        this.ports = ports;
        this.book = book;
        this.config = config;
    }

    boolean enumerated() {
        return enumerated.get();
    }

    /** Inserts what the spool holds, then reads all pending rows once; a failure leaves the gate closed. */
    void enumerate(Deadline deadline) {
        flushSpool(deadline);
        Optional<OutboxCursor> after = Optional.empty();
        List<OutboxRow> page;
        int rows = 0;
        LostSiblings siblings = new LostSiblings(ports.node(), ports.outbox(), ports.metrics());
        do {
            deadline.check("outbox enumeration");
            page = ports.outbox().pendingPage(after, PAGE, deadline);
            // A long outbox is mostly siblings of blocks that won; a short one is not worth the questions.
            List<OutboxRow> open = rows == 0 ? page : siblings.without(page, deadline);
            open.forEach(row -> adopt(row, deadline));
            rows += page.size();
            after = page.isEmpty()
                    ? after
                    : Optional.of(page.get(page.size() - 1).cursor());
        } while (page.size() == PAGE);
        enumerated.set(true);
        LOG.atInfo().addKeyValue("rows", rows).log("block outbox enumerated");
    }

    /** Reads the oldest pending rows again, for wake-ups that found no room. */
    void reread(Deadline deadline) {
        ports.outbox().pendingPage(Optional.empty(), PAGE, deadline).forEach(row -> adopt(row, deadline));
    }

    private void adopt(OutboxRow row, Deadline deadline) {
        if (row.candidate().isEmpty()) {
            quarantine(row, deadline);
            return;
        }
        BlockCandidate candidate = row.candidate().get();
        CandidateRegistry.Admission admission = book.admit(candidate, true, row.attempts(), row.ledgerEvidence());
        if (admission == CandidateRegistry.Admission.ADMITTED) {
            ports.barrier().arm(candidate.hash(), candidate.height());
        } else if (admission == CandidateRegistry.Admission.ENDED) {
            endAgain(candidate.hash(), deadline);
        }
    }

    /** A block that was accounted before its spooled intent reached the table: its row is ended after the fact. */
    private void endAgain(Hash256 hash, Deadline deadline) {
        try {
            if (book.endedAsSubmitted(hash)) {
                ports.outbox().submitted(hash, deadline);
            } else {
                ports.outbox().abandoned(hash.displayHex(), "ended before its intent was durable", deadline);
            }
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("block", hash.displayHex()).setCause(e).log("outbox row not ended yet");
        }
    }

    private void quarantine(OutboxRow row, Deadline deadline) {
        ports.metrics().poisoned();
        String hash = row.cursor().hashHex();
        LOG.atError().addKeyValue("block", hash).log("durable candidate intent can't be decoded; row is quarantined");
        try {
            ports.outbox().abandoned(hash, "invalid durable candidate intent", deadline);
        } catch (RuntimeException e) {
            // The row stays pending and is met again; the rest of the page must not suffer from it.
            LOG.atWarn().addKeyValue("block", hash).setCause(e).log("quarantine failed");
        }
    }

    /** Writes a candidate to the spool, where it stays until the database has it; any thread. */
    void spool(BlockCandidate candidate) {
        ports.alarms().unpersistedBlocks(unpersisted.incrementAndGet());
        try {
            ports.spool().write(candidate);
        } catch (IOException e) {
            LOG.atError()
                    .addKeyValue("block", candidate.hash().displayHex())
                    .setCause(e)
                    .log("found block is neither in the database nor in the spool");
            unwritten.add(candidate);
        }
    }

    /** Moves spooled candidates into the outbox; what fails stays for the next time. */
    void flushSpool(Deadline deadline) {
        List<BlockCandidate> spooled;
        try {
            spooled = ports.spool().readAll();
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("block spool can't be read");
            return;
        }
        // What the disk did not take either is still in memory and goes to the database directly.
        unwritten.removeIf(candidate -> insert(candidate, deadline));
        int left = spooled.size() + unwritten.size();
        for (BlockCandidate candidate : spooled) {
            left -= insert(candidate, deadline) ? 1 : 0;
        }
        if (unpersisted.getAndSet(left) != left || left > 0) {
            ports.alarms().unpersistedBlocks(left);
        }
    }

    private boolean insert(BlockCandidate candidate, Deadline deadline) {
        Hash256 hash = candidate.hash();
        try {
            ports.outbox().insertSpooled(candidate, deadline.within(config.outboxTimeout(), "spool insert"));
            ports.spool().delete(hash);
            boolean known = book.hasten(hash); // accounting has paced itself while there was no row
            LOG.atInfo()
                    .addKeyValue("block", hash.displayHex())
                    .addKeyValue("in_lane", known)
                    .log("spooled block is durable now");
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.atWarn().addKeyValue("block", hash.displayHex()).setCause(e).log("spooled block stays in the spool");
            return false;
        }
    }
}
