package org.prismpool.payout.coinbase;

import java.util.Arrays;
import java.util.Optional;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.templates.chain.ByteWriter;

/** The bytes of a coinbase transaction: fixed fields, the height, payouts and the witness commitment. Immutable. */
final class CoinbaseTransaction {

    static final int MAX_BLOCK_WEIGHT = 2_000_000;

    private static final int MAX_SCRIPT_SIG = 100;
    private static final int FIXED_SIZE = 300; // at most, with the longest script
    private static final byte[] COMMITMENT_PREFIX = {0x6a, 0x24, (byte) 0xaa, 0x21, (byte) 0xa9, (byte) 0xed};

    private final long height;
    private final byte[] scriptSig;
    private final byte[] suffix;
    private final byte[] nonce;
    private final byte[] commitmentScript;

    private CoinbaseTransaction(long height, byte[] scriptSig, byte[] suffix, byte[] nonce, byte[] commitmentScript) {
        this.height = height;
        this.scriptSig = scriptSig;
        this.suffix = suffix;
        this.nonce = nonce;
        this.commitmentScript = commitmentScript;
    }

    static CoinbaseTransaction of(long height, Optional<String> suffixHex, byte[] nonce, byte[] commitment) {
        if (height < 0 || height > 0xffff_ffffL) {
            throw heightOutOfRange();
        }
        byte[] suffix = decodeSuffix(suffixHex.orElse(""));
        byte[] push = heightPush(height);
        int length = push.length + suffix.length;
        if (length > MAX_SCRIPT_SIG) {
            throw new PayoutRuleException("coinbase scriptSig length " + length + " exceeds 100 bytes");
        }
        if (height == 0) {
            throw heightOutOfRange();
        }
        byte[] scriptSig = new ByteWriter(length).bytes(push).bytes(suffix).toByteArray();
        byte[] script =
                new ByteWriter(38).bytes(COMMITMENT_PREFIX).bytes(commitment).toByteArray();
        return new CoinbaseTransaction(height, scriptSig, suffix, nonce, script);
    }

    static String scriptHex(String programHex) {
        return "5220" + programHex;
    }

    byte[] scriptSig() {
        return scriptSig;
    }

    byte[] scriptSigSuffix() {
        return suffix;
    }

    byte[] nonce() {
        return nonce;
    }

    byte[] commitmentScript() {
        return commitmentScript;
    }

    byte[] witnessForm(CoinbasePayouts payouts) {
        return encode(payouts, true);
    }

    byte[] strippedForm(CoinbasePayouts payouts) {
        return encode(payouts, false);
    }

    private byte[] encode(CoinbasePayouts payouts, boolean witness) {
        ByteWriter out = new ByteWriter(FIXED_SIZE + payouts.encoded().length);
        out.u32(2);
        if (witness) {
            out.u8(0).u8(1);
        }
        out.u8(1).bytes(new byte[32]).u32(0xffff_ffffL);
        out.prefixedBytes(scriptSig).u32(0xffff_fffeL);
        out.compactSize(payouts.outputs().size() + 1L);
        out.bytes(payouts.encoded());
        out.i64(0).prefixedBytes(commitmentScript);
        if (witness) {
            out.u8(1).prefixedBytes(nonce);
        }
        out.u32(height - 1);
        return out.toByteArray();
    }

    /** Pushes the height: a small-number opcode and a zero byte up to 16, else a minimal script number. */
    private static byte[] heightPush(long height) {
        if (height == 0) {
            return new byte[] {0, 0};
        }
        if (height <= 16) {
            return new byte[] {(byte) (0x50 + height), 0};
        }
        byte[] number = new byte[6];
        int length = 0;
        long rest = height;
        while (rest != 0) {
            number[++length] = (byte) rest;
            rest >>>= 8;
        }
        if (number[length] < 0) {
            length++;
        }
        number[0] = (byte) length;
        return Arrays.copyOf(number, length + 1);
    }

    private static byte[] decodeSuffix(String hex) {
        try {
            return Hex.decode(hex);
        } catch (Hex.MalformedHexException e) {
            throw new PayoutRuleException("hex decode failed: " + e.reason());
        }
    }

    private static PayoutRuleException heightOutOfRange() {
        return new PayoutRuleException("coinbase height must fit in u32");
    }
}
