package org.prismpool.payout.window;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.MemberRuns;

/** Gives one object to equal identities, so that a window of many shares holds each miner once. For one thread. */
public final class IdentityPool {

    private static final int FIRST_SLOTS = 1 << 8; // a power of two
    private static final int MAX_SLOTS = 1 << 17;

    private final Map<PayoutIdentity, PayoutIdentity> known = new HashMap<>();
    private @Nullable PayoutIdentity[] recent = new @Nullable PayoutIdentity[FIRST_SLOTS]; // spares most look-ups

    private final MemberRuns<PayoutIdentity> runs =
            new MemberRuns<>(ShareField.MINER_ID.json, ShareField.ORDER_KEY.json, ShareField.PROGRAM.json);

    /** Creates an empty pool. */
    public IdentityPool() {}

    /**
     * Returns the identity of three texts.
     *
     * @param recipientId the recipient
     * @param orderKey the ordering key
     * @param programHex the program
     * @return the first identity with these texts that this pool saw
     */
    public PayoutIdentity identity(String recipientId, String orderKey, String programHex) {
        int slot = slot(recipientId, programHex);
        PayoutIdentity last = recent[slot];
        if (last != null && sameObjects(last, recipientId, orderKey, programHex)) {
            return last;
        }
        PayoutIdentity identity = new PayoutIdentity(recipientId, orderKey, programHex);
        PayoutIdentity first = known.putIfAbsent(identity, identity);
        PayoutIdentity pooled = first == null ? identity : first;
        if (first == null && known.size() * 4 > recent.length && recent.length < MAX_SLOTS) {
            recent = new @Nullable PayoutIdentity[recent.length << 2];
            slot = slot(recipientId, programHex);
        }
        recent[slot] = pooled;
        return pooled;
    }

    /** Returns the known identities as a reader recognises them in a share. */
    MemberRuns<PayoutIdentity> runs() {
        return runs;
    }

    private int slot(String recipientId, String programHex) {
        return (recipientId.hashCode() ^ (programHex.hashCode() >>> 8)) & (recent.length - 1);
    }

    // Compares objects, not texts: a reader that shares texts makes this the common case.
    @SuppressWarnings("ReferenceEquality")
    private static boolean sameObjects(PayoutIdentity last, String recipientId, String orderKey, String programHex) {
        return last.recipientId() == recipientId && last.orderKey() == orderKey && last.programHex() == programHex;
    }
}
