package org.prismpool.stratum;

/** Result of looking a payout address up. */
public sealed interface AddressLookup {

    /**
     * The address can be paid.
     *
     * @param payoutAddress canonical lower-case form
     * @param programHex its 32-byte P2MR program in lower-case hex
     */
    record Payable(String payoutAddress, String programHex) implements AddressLookup {}

    /** The text is no address of this chain. */
    record NotAnAddress() implements AddressLookup {}

    /** The address is valid but its script is not P2MR. */
    record NotP2mr() implements AddressLookup {}

    /** The address could not be checked now; not to be cached. */
    record Unavailable() implements AddressLookup {}
}
