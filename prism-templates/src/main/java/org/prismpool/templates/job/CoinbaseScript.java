package org.prismpool.templates.job;

import java.nio.charset.StandardCharsets;
import org.prismpool.templates.chain.ByteWriter;
import org.prismpool.templates.chain.Network;

/**
 * The scriptSig of the pool's coinbases: height push, tag, extranonce1, extranonce2 (spec 03 §4.1).
 */
public final class CoinbaseScript {

    /** Size of extranonce1. */
    public static final int EXTRANONCE1_SIZE = 4;

    /** Smallest extranonce2 that is offered. */
    public static final int MIN_EXTRANONCE2_SIZE = 4;

    /** Largest extranonce2 that is offered. */
    public static final int MAX_EXTRANONCE2_SIZE = 8;

    private static final int MAX_TAG = 40;
    private static final int OP_1_MINUS_ONE = 0x50;
    private static final int MAX_OPCODE_HEIGHT = 16;

    private CoinbaseScript() {}

    /**
     * Encodes a block height as BIP34 wants it at the start of the scriptSig.
     *
     * @param height 1 to 2^32 - 1; heights up to 16 are one opcode, followed by a zero byte to reach the minimum length
     * @return the push
     * @throws IllegalArgumentException if out of range
     */
    public static byte[] heightPush(long height) {
        if (height < 1 || height > 0xffffffffL) {
            throw new IllegalArgumentException("coinbase height must fit in u32");
        }
        if (height <= MAX_OPCODE_HEIGHT) {
            return new byte[] {(byte) (OP_1_MINUS_ONE + height), 0};
        }
        // A script number is signed: a set top bit needs one more byte.
        int length = (64 - Long.numberOfLeadingZeros(height)) / 8 + 1;
        ByteWriter push = new ByteWriter(length + 1).u8(length);
        for (int i = 0; i < length; i++) {
            push.u8((int) (height >>> (8 * i)));
        }
        return push.toByteArray();
    }

    /**
     * Encodes the pool's tag, which stands in the script as raw bytes without a push opcode.
     *
     * @param tag printable ASCII, at most 40 characters, possibly empty
     * @return its bytes
     * @throws IllegalArgumentException for other characters or a longer tag
     */
    public static byte[] tag(String tag) {
        if (tag.length() > MAX_TAG || !tag.chars().allMatch(c -> c >= 0x20 && c <= 0x7e)) {
            throw new IllegalArgumentException("a coinbase tag has at most 40 printable ASCII characters");
        }
        return tag.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Builds the scriptSig with a zero placeholder for both extranonces.
     *
     * @param height block height
     * @param tag pool tag
     * @param extranonce2Size 4 to 8
     * @return at most 100 bytes
     * @throws IllegalArgumentException if a part is out of range
     */
    public static byte[] placeholder(long height, String tag, int extranonce2Size) {
        requireExtranonce2Size(extranonce2Size);
        byte[] script = new ByteWriter(Network.MAX_COINBASE_SCRIPT_SIG)
                .bytes(heightPush(height))
                .bytes(tag(tag))
                .bytes(new byte[EXTRANONCE1_SIZE + extranonce2Size])
                .toByteArray();
        if (script.length > Network.MAX_COINBASE_SCRIPT_SIG) {
            throw new IllegalArgumentException("coinbase scriptSig length " + script.length + " exceeds 100 bytes");
        }
        return script;
    }

    static void requireExtranonce2Size(int size) {
        if (size < MIN_EXTRANONCE2_SIZE || size > MAX_EXTRANONCE2_SIZE) {
            throw new IllegalArgumentException("extranonce2 has 4 to 8 bytes, not " + size);
        }
    }
}
