package org.prismpool.templates.chain;

import java.util.Arrays;
import java.util.Optional;

/**
 * A payout address of the chain: witness version 2 with a 32-byte program, written in bech32m.
 *
 * <p>Two spellings of one address (all upper case, all lower case) give equal values: payouts settle by program.
 */
public final class P2mrAddress {

    /** Size of a program. */
    public static final int PROGRAM_SIZE = 32;

    private static final int WITNESS_VERSION = 2;
    private static final String SCRIPT_PREFIX = "5220";

    private final String hrp;
    private final byte[] program;

    private P2mrAddress(String hrp, byte[] program) {
        this.hrp = hrp;
        this.program = program;
    }

    /**
     * Creates the address of a program.
     *
     * @param network decides the prefix
     * @param program 32 bytes; copied
     * @return the address
     * @throws IllegalArgumentException if the length differs
     */
    public static P2mrAddress of(Network network, byte[] program) {
        if (program.length != PROGRAM_SIZE) {
            throw new IllegalArgumentException("a P2MR program has 32 bytes, got " + program.length);
        }
        return new P2mrAddress(network.hrp(), program.clone());
    }

    /**
     * Creates the address of a program.
     *
     * @param network decides the prefix
     * @param programHex 64 hex digits
     * @return the address
     * @throws IllegalArgumentException if malformed
     */
    public static P2mrAddress ofProgramHex(Network network, String programHex) {
        return new P2mrAddress(network.hrp(), Hex.decode(programHex, PROGRAM_SIZE));
    }

    /**
     * Reads an address.
     *
     * @param network network that must own the prefix
     * @param text all lower or all upper case
     * @return the address, or empty if it can't be paid on this network
     */
    public static Optional<P2mrAddress> decode(Network network, String text) {
        return check(network, text).address();
    }

    /**
     * Judges an address as a node of a chain with restricted outputs does.
     *
     * @param network network that must own the prefix
     * @param text text from a user
     * @return the address or the node's words for refusing it
     */
    public static AddressVerdict check(Network network, String text) {
        Optional<Bech32m.Decoded> decoded = Bech32m.decode(text);
        if (decoded.isEmpty()
                || !decoded.get().hrp().equals(network.hrp())
                || decoded.get().values().length == 0) {
            return AddressVerdict.refused("Invalid or unsupported Segwit (Bech32) or Base58 encoding.");
        }
        byte[] values = decoded.get().values();
        int version = values[0];
        if (version == 0 && decoded.get().constant() != Bech32m.BECH32) {
            return AddressVerdict.refused("Version 0 witness address must use Bech32 checksum");
        }
        if (version != 0 && decoded.get().constant() != Bech32m.BECH32M) {
            return AddressVerdict.refused("Version 1+ witness address must use Bech32m checksum");
        }
        Optional<byte[]> program = Bech32m.toBytes(values, 1);
        if (program.isEmpty()) {
            return AddressVerdict.refused("Invalid padding in Bech32 data section");
        }
        if (version != WITNESS_VERSION || program.get().length != PROGRAM_SIZE) {
            return AddressVerdict.refused("Address type is not supported on this chain; use a p2mr address.");
        }
        return AddressVerdict.accepted(new P2mrAddress(network.hrp(), program.get()));
    }

    /**
     * Reads the program out of an output script.
     *
     * @param script output script
     * @return 32 fresh bytes, or empty if the script is not P2MR
     */
    public static Optional<byte[]> programOfScript(byte[] script) {
        boolean matches = script.length == 2 + PROGRAM_SIZE && script[0] == 0x52 && script[1] == PROGRAM_SIZE;
        return matches ? Optional.of(Arrays.copyOfRange(script, 2, script.length)) : Optional.empty();
    }

    /**
     * Returns the canonical text.
     *
     * @return lower-case bech32m
     */
    public String text() {
        byte[] program5 = Bech32m.toFiveBits(program);
        byte[] values = new byte[program5.length + 1];
        values[0] = WITNESS_VERSION;
        System.arraycopy(program5, 0, values, 1, program5.length);
        return Bech32m.encode(hrp, values);
    }

    /**
     * Returns the program.
     *
     * @return a copy of 32 bytes
     */
    public byte[] program() {
        return program.clone();
    }

    /**
     * Returns the program as text.
     *
     * @return 64 lower-case hex digits
     */
    public String programHex() {
        return Hex.encode(program);
    }

    /**
     * Returns the output script.
     *
     * @return 34 bytes: {@code 52 20} and the program
     */
    public byte[] script() {
        return Hex.decode(scriptHex());
    }

    /**
     * Returns the output script as text.
     *
     * @return 68 lower-case hex digits
     */
    public String scriptHex() {
        return SCRIPT_PREFIX + programHex();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof P2mrAddress address
                && hrp.equals(address.hrp)
                && Arrays.equals(program, address.program);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(program);
    }

    /** Returns the canonical text. */
    @Override
    public String toString() {
        return text();
    }
}
