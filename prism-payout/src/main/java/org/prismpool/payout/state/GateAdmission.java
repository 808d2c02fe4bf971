package org.prismpool.payout.state;

import java.util.Objects;
import java.util.Optional;

/**
 * Answer of the payout gate.
 *
 * @param verdict the row of the admission table that decided
 * @param ticket present exactly when the verdict is {@link GateVerdict#ADMITTED}
 */
public record GateAdmission(GateVerdict verdict, Optional<GateTicket> ticket) {

    /** Checks that a ticket comes with an admission and only with it. */
    public GateAdmission {
        Objects.requireNonNull(verdict, "verdict");
        if (ticket.isPresent() != (verdict == GateVerdict.ADMITTED)) {
            throw new IllegalArgumentException("a ticket belongs to an admission: " + verdict);
        }
    }

    static GateAdmission refused(GateVerdict verdict) {
        return new GateAdmission(verdict, Optional.empty());
    }

    /**
     * Tells whether the caller was admitted.
     *
     * @return true if a ticket is present
     */
    public boolean admitted() {
        return ticket.isPresent();
    }
}
