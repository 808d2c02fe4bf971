package org.prismpool.payout.ctv;

import java.math.BigInteger;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.PayoutRuleException;

/** Contract texts with their prefixes, and the checks that several rules share. */
final class CtvErrors {

    private CtvErrors() {}

    static PayoutRuleException settlement(String reason) {
        return new PayoutRuleException("cannot select a settlement mode: " + reason);
    }

    static PayoutRuleException manifest(String reason) {
        return new PayoutRuleException("invalid CTV fanout manifest: " + reason);
    }

    static void require(boolean holds, String reason) {
        if (!holds) {
            throw manifest(reason);
        }
    }

    /** Decodes a field that must be lower-case hexadecimal text. */
    static byte[] canonical(String field, String hex) {
        byte[] bytes = decode(field, hex);
        require(Hex.encode(bytes).equals(hex), field + " must be lowercase canonical hex");
        return bytes;
    }

    /** Decodes a field that must be 32 bytes of lower-case hexadecimal text. */
    static byte[] canonicalHash(String field, String hex) {
        byte[] bytes = hash(field, hex);
        require(Hex.encode(bytes).equals(hex), field + " must be lowercase canonical hex");
        return bytes;
    }

    static byte[] hash(String field, String hex) {
        byte[] bytes = decode(field, hex);
        require(bytes.length == 32, field + " must be 32 bytes, got " + bytes.length);
        return bytes;
    }

    private static byte[] decode(String field, String hex) {
        try {
            return Hex.decode(hex);
        } catch (Hex.MalformedHexException e) {
            throw manifest(field + " must be hex: " + e.reason());
        }
    }

    static BigInteger unsigned(long value) {
        return U128.ofUnsigned(value).toBigInteger();
    }

    /** Adds unsigned 64-bit numbers; a sum above 2^64 - 1 is the given contract text. */
    static long addExact(long left, long right, String overflow) {
        long sum = left + right;
        if (Long.compareUnsigned(sum, left) < 0) {
            throw new PayoutRuleException(overflow);
        }
        return sum;
    }
}
