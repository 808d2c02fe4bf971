package org.prismpool.templates.chain;

import java.util.Optional;

/**
 * What became of a payout address: exactly one of both is present.
 *
 * @param address the address, if it can be paid
 * @param refusal the words in which a node refuses it
 */
public record AddressVerdict(Optional<P2mrAddress> address, Optional<String> refusal) {

    /** Checks that there is one answer. */
    public AddressVerdict {
        if (address.isPresent() == refusal.isPresent()) {
            throw new IllegalArgumentException("an address is either accepted or refused");
        }
    }

    static AddressVerdict accepted(P2mrAddress address) {
        return new AddressVerdict(Optional.of(address), Optional.empty());
    }

    static AddressVerdict refused(String refusal) {
        return new AddressVerdict(Optional.empty(), Optional.of(refusal));
    }

    /**
     * Tells whether the address can be paid.
     *
     * @return true if accepted
     */
    public boolean isValid() {
        return address.isPresent();
    }
}
