package org.prismpool.templates.job;

import java.util.Arrays;
import org.prismpool.templates.chain.ByteReader;
import org.prismpool.templates.chain.ByteWriter;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Transaction;

/**
 * A coinbase cut at the extranonces, in both of its serializations.
 *
 * <p>The cut is found by parsing the transaction: the extranonces are the tail of the scriptSig. Searching for the
 * placeholder would not do, since zero bytes stand in other places too. Immutable and thread-safe; shared by all
 * connections that work on one bundle.
 */
public final class CoinbaseSplit {

    private static final int VERSION_SIZE = 4;
    private static final int MARKER_AND_FLAG_SIZE = 2;
    private static final int OUTPOINT_SIZE = 36;

    private final byte[] strippedPrefix;
    private final byte[] strippedSuffix;
    private final byte[] fullPrefix;
    private final byte[] fullSuffix;
    private final int extranonce2Size;
    private final String coinb1Hex;
    private final String coinb2Hex;

    private CoinbaseSplit(Transaction coinbase, int extranonce2Size) {
        byte[] full = coinbase.bytes();
        byte[] stripped = coinbase.strippedBytes();
        int window = CoinbaseScript.EXTRANONCE1_SIZE + extranonce2Size;
        int fullCut = cut(full, coinbase.hasWitness(), window);
        int strippedCut = cut(stripped, false, window);
        this.fullPrefix = Arrays.copyOf(full, fullCut);
        this.fullSuffix = Arrays.copyOfRange(full, fullCut + window, full.length);
        this.strippedPrefix = Arrays.copyOf(stripped, strippedCut);
        this.strippedSuffix = Arrays.copyOfRange(stripped, strippedCut + window, stripped.length);
        this.extranonce2Size = extranonce2Size;
        this.coinb1Hex = Hex.encode(strippedPrefix);
        this.coinb2Hex = Hex.encode(strippedSuffix);
    }

    /**
     * Cuts a coinbase that was built with zero bytes in place of both extranonces.
     *
     * @param fullCoinbase serialization with witness
     * @param declaredTxid id that the builder declared
     * @param extranonce2Size 4 to 8
     * @return the split
     * @throws IllegalArgumentException if this is not one coinbase, has another txid, or does not end its scriptSig with
     *     the placeholder
     */
    public static CoinbaseSplit of(byte[] fullCoinbase, Hash256 declaredTxid, int extranonce2Size) {
        CoinbaseScript.requireExtranonce2Size(extranonce2Size);
        Transaction coinbase = Transaction.parse(fullCoinbase);
        if (!coinbase.isCoinbase()) {
            throw new IllegalArgumentException("not a coinbase");
        }
        if (!coinbase.txid().equals(declaredTxid)) {
            throw new IllegalArgumentException("coinbase txid differs from the declared one");
        }
        return new CoinbaseSplit(coinbase, extranonce2Size);
    }

    private static int cut(byte[] coinbase, boolean witness, int window) {
        ByteReader reader = new ByteReader(coinbase);
        reader.skip(VERSION_SIZE + (witness ? MARKER_AND_FLAG_SIZE : 0));
        reader.count(1);
        reader.skip(OUTPOINT_SIZE);
        int length = reader.count(1);
        if (length < window) {
            throw new IllegalArgumentException("coinbase scriptSig is shorter than the extranonces");
        }
        int cut = reader.position() + length - window;
        for (int i = cut; i < cut + window; i++) {
            if (coinbase[i] != 0) {
                throw new IllegalArgumentException("coinbase scriptSig does not end with the extranonce placeholder");
            }
        }
        return cut;
    }

    /**
     * Returns the size of extranonce2.
     *
     * @return 4 to 8 bytes
     */
    public int extranonce2Size() {
        return extranonce2Size;
    }

    /**
     * Returns what miners put before extranonce1.
     *
     * @return lower-case hex of the serialization without witness
     */
    public String coinb1Hex() {
        return coinb1Hex;
    }

    /**
     * Returns what miners put after extranonce2.
     *
     * @return lower-case hex of the serialization without witness
     */
    public String coinb2Hex() {
        return coinb2Hex;
    }

    /**
     * Returns the part of the full serialization before extranonce1.
     *
     * @return a copy
     */
    public byte[] fullPrefix() {
        return fullPrefix.clone();
    }

    /**
     * Returns the part of the full serialization after extranonce2.
     *
     * @return a copy
     */
    public byte[] fullSuffix() {
        return fullSuffix.clone();
    }

    /**
     * Returns the size of the serialization with witness.
     *
     * @return bytes
     */
    public int fullSize() {
        return fullPrefix.length + CoinbaseScript.EXTRANONCE1_SIZE + extranonce2Size + fullSuffix.length;
    }

    /**
     * Returns the size of the serialization without witness.
     *
     * @return bytes
     */
    public int strippedSize() {
        return strippedPrefix.length + CoinbaseScript.EXTRANONCE1_SIZE + extranonce2Size + strippedSuffix.length;
    }

    /**
     * Joins the serialization with witness.
     *
     * @param extranonce1 4 bytes
     * @param extranonce2 bytes of the agreed size
     * @return a fresh array
     * @throws IllegalArgumentException if a size differs
     */
    public byte[] full(byte[] extranonce1, byte[] extranonce2) {
        requireSizes(extranonce1, extranonce2);
        return new ByteWriter(fullSize())
                .bytes(fullPrefix)
                .bytes(extranonce1)
                .bytes(extranonce2)
                .bytes(fullSuffix)
                .toByteArray();
    }

    /** Writes the serialization without witness and returns its length. */
    int writeStripped(byte[] extranonce1, byte[] extranonce2, byte[] out) {
        requireSizes(extranonce1, extranonce2);
        int end = append(strippedPrefix, out, 0);
        end = append(extranonce1, out, end);
        end = append(extranonce2, out, end);
        return append(strippedSuffix, out, end);
    }

    private static int append(byte[] part, byte[] out, int offset) {
        System.arraycopy(part, 0, out, offset, part.length);
        return offset + part.length;
    }

    private void requireSizes(byte[] extranonce1, byte[] extranonce2) {
        if (extranonce1.length != CoinbaseScript.EXTRANONCE1_SIZE || extranonce2.length != extranonce2Size) {
            throw new IllegalArgumentException("extranonce sizes must be 4 and " + extranonce2Size);
        }
    }
}
