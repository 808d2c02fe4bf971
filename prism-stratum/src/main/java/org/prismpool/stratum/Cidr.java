package org.prismpool.stratum;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A network in CIDR notation, IPv4 or IPv6.
 */
public final class Cidr {

    private final byte[] network;
    private final int prefix;

    private Cidr(byte[] network, int prefix) {
        this.network = network;
        this.prefix = prefix;
    }

    /**
     * Reads a network.
     *
     * @param text address literal, optionally followed by a slash and a prefix length; a host name is refused
     * @return the network
     * @throws IllegalArgumentException if malformed
     */
    public static Cidr of(String text) {
        int slash = text.indexOf('/');
        String host = slash < 0 ? text : text.substring(0, slash);
        if (!host.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
            throw new IllegalArgumentException("not an address literal: " + text);
        }
        try {
            byte[] address = InetAddress.getByName(host).getAddress();
            int bits = slash < 0 ? 8 * address.length : Integer.parseInt(text.substring(slash + 1));
            if (bits < 0 || bits > 8 * address.length) {
                throw new IllegalArgumentException("prefix length out of range: " + text);
            }
            return new Cidr(address, bits);
        } catch (UnknownHostException | NumberFormatException malformed) {
            throw new IllegalArgumentException("not a network: " + text, malformed);
        }
    }

    /**
     * Tells whether an address lies in this network.
     *
     * @param address address of either family
     * @return true if the family is the same and the prefix matches
     */
    public boolean contains(InetAddress address) {
        byte[] candidate = address.getAddress();
        if (candidate.length != network.length) {
            return false;
        }
        for (int bit = 0; bit < prefix; bit++) {
            int mask = 0x80 >>> (bit & 7);
            if (((candidate[bit >>> 3] ^ network[bit >>> 3]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        try {
            return InetAddress.getByAddress(network).getHostAddress() + "/" + prefix;
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
