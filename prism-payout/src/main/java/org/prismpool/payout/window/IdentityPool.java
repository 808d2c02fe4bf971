package org.prismpool.payout.window;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gives one object to equal identities, so that a window of many shares holds each miner once. For one thread. */
public final class IdentityPool {

    private static final int RECENT = 1 << 14; // a power of two, above the number of miners in most windows

    private final Map<PayoutIdentity, PayoutIdentity> known = new HashMap<>();
    private final @Nullable PayoutIdentity[] recent = new @Nullable PayoutIdentity[RECENT];

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
        int slot = (recipientId.hashCode() ^ (programHex.hashCode() >>> 8)) & (RECENT - 1);
        PayoutIdentity last = recent[slot];
        if (last != null && sameObjects(last, recipientId, orderKey, programHex)) {
            return last;
        }
        PayoutIdentity identity = new PayoutIdentity(recipientId, orderKey, programHex);
        PayoutIdentity first = known.putIfAbsent(identity, identity);
        PayoutIdentity pooled = first == null ? identity : first;
        recent[slot] = pooled;
        return pooled;
    }

    // Compares objects, not texts: a reader that shares texts makes this the common case.
    @SuppressWarnings("ReferenceEquality")
    private static boolean sameObjects(PayoutIdentity last, String recipientId, String orderKey, String programHex) {
        return last.recipientId() == recipientId && last.orderKey() == orderKey && last.programHex() == programHex;
    }
}
