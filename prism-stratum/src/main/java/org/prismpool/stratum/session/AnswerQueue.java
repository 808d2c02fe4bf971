package org.prismpool.stratum.session;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Keeps answers in the order of their requests while some wait for a commit. Confined to the event loop. */
final class AnswerQueue {

    private static final Runnable NOTHING = () -> {};

    /** The place of one answer. */
    static final class Slot {
        private byte @Nullable [] line;
        private Runnable written = NOTHING;
    }

    private final SessionWire wire;
    private @Nullable ArrayDeque<Slot> waiting; // most sessions never have two requests under way

    AnswerQueue(SessionWire wire) {
        this.wire = wire;
    }

    /** Answers a request that is already decided. */
    void answer(byte[] line) {
        answer(line, NOTHING);
    }

    void answer(byte[] line, Runnable written) {
        if (waiting == null || waiting.isEmpty()) {
            wire.respond(line, written);
        } else {
            complete(reserve(), line, written);
        }
    }

    /** Takes the next place for a request that is decided later. */
    Slot reserve() {
        if (waiting == null) {
            waiting = new ArrayDeque<>(4);
        }
        Slot slot = new Slot();
        waiting.add(slot);
        return slot;
    }

    /** Fills a place and writes every answer whose turn has come. */
    void complete(Slot slot, byte[] line, Runnable written) {
        slot.line = line;
        slot.written = written;
        ArrayDeque<Slot> slots = waiting;
        while (slots != null && !slots.isEmpty()) {
            Slot head = slots.peek();
            byte[] next = head.line;
            if (next == null) {
                return;
            }
            slots.remove();
            wire.respond(next, head.written);
        }
    }

    int size() {
        return waiting == null ? 0 : waiting.size();
    }
}
