package org.prismpool.app.composition.block;

import java.util.HashMap;
import java.util.Map;
import org.prismpool.sharewriter.AnchorFloor;
import org.prismpool.templates.chain.Hash256;

/**
 * Keeps payout windows below the share of a block that is credited only when the block lands: from the moment its intent may
 * be durable until its share is, or until nothing will be credited any more (spec 06 §2.6).
 *
 * <p>Thread-safe. One hold a block, whoever brings it and however often.
 */
public final class CreditHolds {

    private final AnchorFloor floor;
    private final Map<Hash256, AnchorFloor.Hold> holds = new HashMap<>(); // guarded by this

    public CreditHolds(AnchorFloor floor) {
        this.floor = floor;
    }

    /** Stamps the share of a block now, or returns the stamp it has already. */
    synchronized long stamp(Hash256 hash) {
        return holds.computeIfAbsent(hash, fresh -> floor.hold()).acceptedAtMs();
    }

    /** Holds at the stamp of an earlier process. */
    synchronized void holdAt(Hash256 hash, long acceptedAtMs) {
        holds.computeIfAbsent(hash, restored -> floor.holdAt(acceptedAtMs));
    }

    /** Lets windows pass; without effect if nothing is held. */
    synchronized void release(Hash256 hash) {
        AnchorFloor.Hold held = holds.remove(hash);
        if (held != null) {
            held.release();
        }
    }

    synchronized int count() {
        return holds.size();
    }
}
