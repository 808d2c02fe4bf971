package org.prismpool.app.devnode.validation;

import java.util.ArrayList;
import java.util.List;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.templates.chain.BlockHeader;
import org.prismpool.templates.chain.ByteReader;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.MalformedBytesException;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Sha256d;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.VersionLayout;

/** Decodes the hex of {@code submitblock}. Immutable. */
public final class BlockDecoder {

    private static final int SMALLEST_TRANSACTION = 10;

    private final Network network;
    private final boolean rejectTrailingBytes;

    /**
     * Creates a decoder.
     *
     * @param network decides the chain id of merged-mined blocks
     * @param rejectTrailingBytes whether bytes after the last transaction make the block undecodable; a real node ignores
     *     them, which hides serializer faults of a pool
     */
    public BlockDecoder(Network network, boolean rejectTrailingBytes) {
        this.network = network;
        this.rejectTrailingBytes = rejectTrailingBytes;
    }

    /**
     * Decodes a block.
     *
     * @param hex text from outside
     * @return the block, a reason, or neither
     */
    public DecodedSubmission decode(String hex) {
        try {
            byte[] bytes = Hex.decode(hex);
            ByteReader reader = new ByteReader(bytes);
            BlockHeader header = BlockHeader.read(reader);
            if (VersionLayout.hasAuxPow(header.version())) {
                boolean ours = VersionLayout.chainId(header.version()) == network.auxPowChainId();
                return DecodedSubmission.refused(ours ? "bad-auxpow-missing-payload" : "bad-auxpow-chainid");
            }
            List<Transaction> transactions = transactions(bytes, reader);
            if (rejectTrailingBytes) {
                reader.requireEnd();
            }
            return DecodedSubmission.of(new RawBlock(header, transactions));
        } catch (IllegalArgumentException e) {
            return DecodedSubmission.undecodable();
        }
    }

    private static List<Transaction> transactions(byte[] bytes, ByteReader reader) {
        int count = reader.count(SMALLEST_TRANSACTION);
        Sha256d.Hasher hasher = new Sha256d.Hasher();
        List<Transaction> transactions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            transactions.add(Transaction.read(bytes, reader, hasher));
        }
        return transactions;
    }

    /**
     * Decodes a transaction.
     *
     * @param hex text from outside
     * @return the transaction
     * @throws MalformedBytesException if it is not exactly one transaction
     */
    public static Transaction decodeTransaction(String hex) {
        try {
            return Transaction.parseHex(hex);
        } catch (MalformedBytesException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new MalformedBytesException("not hexadecimal");
        }
    }
}
