package org.prismpool.payout.window;

import java.util.HashMap;
import java.util.Map;

/** Gives one object to equal identities, so that a window of many shares holds each miner once. For one thread. */
public final class IdentityPool {

    private final Map<PayoutIdentity, PayoutIdentity> known = new HashMap<>();

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
        PayoutIdentity identity = new PayoutIdentity(recipientId, orderKey, programHex);
        PayoutIdentity first = known.putIfAbsent(identity, identity);
        return first == null ? identity : first;
    }
}
