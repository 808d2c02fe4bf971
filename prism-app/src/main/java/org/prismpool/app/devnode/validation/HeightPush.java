package org.prismpool.app.devnode.validation;

import org.prismpool.templates.chain.ByteWriter;

/** The block height at the start of a coinbase script (BIP34). */
public final class HeightPush {

    private static final int HIGHEST_OPCODE_HEIGHT = 16;
    private static final int OP_RESERVED = 0x50;

    private HeightPush() {}

    /**
     * Returns the bytes that a coinbase script must start with.
     *
     * @param height 1 or more
     * @return one opcode up to height 16, else a length byte and the minimal little-endian script number
     */
    public static byte[] of(int height) {
        if (height < 1) {
            throw new IllegalArgumentException("only blocks after the genesis block carry a height");
        }
        if (height <= HIGHEST_OPCODE_HEIGHT) {
            return new byte[] {(byte) (OP_RESERVED + height)};
        }
        ByteWriter number = new ByteWriter(6);
        int rest = height;
        int last = 0;
        while (rest != 0) {
            last = rest & 0xff;
            number.u8(last);
            rest >>>= 8;
        }
        if ((last & 0x80) != 0) {
            number.u8(0);
        }
        return new ByteWriter(8).u8(number.size()).bytes(number.toByteArray()).toByteArray();
    }
}
