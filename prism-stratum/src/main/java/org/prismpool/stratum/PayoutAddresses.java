package org.prismpool.stratum;

import java.util.concurrent.CompletionStage;

/**
 * Port to the rules of who can be paid (spec 02 §4.2).
 *
 * <p>Called on event loops: must return at once. A slow check completes the stage later, on any thread.
 */
@FunctionalInterface
public interface PayoutAddresses {

    /**
     * Looks an address up.
     *
     * @param address base of a username, exactly as sent, never empty
     * @return stage that completes with the result; a failed stage counts as {@link AddressLookup.Unavailable}
     */
    CompletionStage<AddressLookup> lookUp(String address);
}
