package org.prismpool.stratum;

import java.util.List;

/**
 * Whether connections may announce their client's address with a PROXY protocol header, and whose header is believed.
 *
 * @param mode accepted versions
 * @param trusted networks whose connections must begin with a header; connections from elsewhere that send one are closed
 */
public record ProxyProtocol(Mode mode, List<Cidr> trusted) {

    /** The header is not offered. */
    public static final ProxyProtocol OFF = new ProxyProtocol(Mode.OFF, List.of());

    /**
     * Checks that somebody is trusted.
     *
     * @throws IllegalArgumentException if the protocol is on and no network is trusted
     */
    public ProxyProtocol {
        trusted = List.copyOf(trusted);
        if (mode != Mode.OFF && trusted.isEmpty()) {
            throw new IllegalArgumentException("the PROXY protocol needs trusted networks");
        }
    }

    /** Accepted versions of the header. */
    public enum Mode {
        /** None. */
        OFF,
        /** Version 1, text. */
        V1,
        /** Version 2, binary. */
        V2,
        /** Both. */
        ANY
    }
}
