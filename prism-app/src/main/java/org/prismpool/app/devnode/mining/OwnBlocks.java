package org.prismpool.app.devnode.mining;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.app.devnode.mempool.MempoolEntry;
import org.prismpool.app.devnode.validation.HeightPush;
import org.prismpool.app.devnode.validation.WitnessCommitment;
import org.prismpool.templates.chain.BlockHeader;
import org.prismpool.templates.chain.ByteWriter;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.MerkleBranch;
import org.prismpool.templates.chain.Sha256d;
import org.prismpool.templates.chain.Target;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;

/** Builds and solves blocks that the node mines itself. */
public final class OwnBlocks {

    private static final long NON_FINAL_SEQUENCE = 0xfffffffeL;
    private static final long NONCES = 1L << 32;
    private static final int NONCE_OFFSET = 76;

    private OwnBlocks() {}

    /**
     * Builds and solves a block.
     *
     * @param template what to build on
     * @param script output script that gets the whole coinbase value
     * @param extra bytes that make the coinbase unique
     * @param maxTries largest number of hashes
     * @return the block, or empty when no nonce was found in time
     */
    public static Optional<RawBlock> mine(TemplateSnapshot template, byte[] script, long extra, long maxTries) {
        Transaction coinbase = coinbase(template, script, extra);
        List<Transaction> transactions = new ArrayList<>();
        transactions.add(coinbase);
        template.entries().stream().map(MempoolEntry::transaction).forEach(transactions::add);
        Hash256 root =
                MerkleBranch.root(transactions.stream().map(Transaction::txid).toList());
        BlockHeader unsolved =
                new BlockHeader(template.version(), template.parent(), root, template.curtime(), template.bits(), 0);
        return solve(unsolved, maxTries).map(header -> new RawBlock(header, transactions));
    }

    /**
     * Looks for a nonce.
     *
     * @param unsolved a header; its nonce is ignored
     * @param maxTries largest number of hashes
     * @return the header with the smallest nonce that meets its bits, or empty
     */
    public static Optional<BlockHeader> solve(BlockHeader unsolved, long maxTries) {
        Target target = CompactTarget.ofBits(unsolved.bits()).target();
        byte[] bytes = unsolved.bytes();
        byte[] hash = new byte[Hash256.SIZE];
        Sha256d.Hasher hasher = new Sha256d.Hasher();
        long tries = Math.min(maxTries, NONCES);
        for (long nonce = 0; nonce < tries; nonce++) {
            for (int i = 0; i < Integer.BYTES; i++) {
                bytes[NONCE_OFFSET + i] = (byte) (nonce >>> (8 * i));
            }
            hasher.digest(bytes, 0, bytes.length, hash);
            if (target.isMetBy(hash)) {
                return Optional.of(BlockHeader.parse(bytes));
            }
        }
        return Optional.empty();
    }

    private static Transaction coinbase(TemplateSnapshot template, byte[] script, long extra) {
        byte[] scriptSig = new ByteWriter()
                .bytes(HeightPush.of(template.height()))
                .u8(Long.BYTES)
                .i64(extra)
                .toByteArray();
        byte[] reserved = new byte[Hash256.SIZE];
        TransactionInput input = new TransactionInput(
                Hash256.ZERO, TransactionInput.NULL_INDEX, scriptSig, NON_FINAL_SEQUENCE, List.of(reserved));
        TransactionOutput payout = new TransactionOutput(template.coinbaseValueSats(), script);
        TransactionOutput commitment = new TransactionOutput(0, WitnessCommitment.script(template.wtxids(), reserved));
        return Transaction.of(2, List.of(input), List.of(payout, commitment), template.height() - 1L);
    }
}
