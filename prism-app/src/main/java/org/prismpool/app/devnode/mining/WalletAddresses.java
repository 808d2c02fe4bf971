package org.prismpool.app.devnode.mining;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;

/** The node's wallet as far as it has one: addresses from a counter, the same in every run. Immutable. */
public final class WalletAddresses {

    private static final byte[] SALT = "devnode".getBytes(StandardCharsets.US_ASCII);

    private final Network network;

    /**
     * Creates the wallet.
     *
     * @param network decides the prefix
     */
    public WalletAddresses(Network network) {
        this.network = network;
    }

    /**
     * Returns an address: program SHA-256 of {@code devnode} and the number as eight bytes, big endian.
     *
     * @param number 0 for the first
     * @return the address
     */
    public P2mrAddress at(long number) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(SALT);
            sha256.update(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
            return P2mrAddress.of(network, sha256.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * Tells whether an address was handed out.
     *
     * @param programHex its program
     * @param issued number of addresses handed out so far
     * @return true if it is one of them
     */
    public boolean isOwn(String programHex, long issued) {
        for (long number = 0; number < issued; number++) {
            if (Hex.encode(at(number).program()).equals(programHex)) {
                return true;
            }
        }
        return false;
    }
}
