package org.prismpool.templates.jmh;

import java.util.ArrayList;
import java.util.List;
import org.prismpool.templates.chain.ByteWriter;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Sha256d;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;
import org.prismpool.templates.job.BlockTerms;
import org.prismpool.templates.job.CoinbaseScript;
import org.prismpool.templates.job.CoinbaseSplit;
import org.prismpool.templates.job.TransactionSet;
import org.prismpool.templates.job.WitnessCommitment;
import org.prismpool.templates.job.WorkTemplate;

/** Templates of a given size, always the same ones. */
final class BenchmarkTemplates {

    static final byte[] EXTRANONCE1 = {0, 0, 0, 1};
    static final byte[] EXTRANONCE2 = new byte[8];

    private static final int TRANSACTION_SIZE = 390;

    private BenchmarkTemplates() {}

    /** Transactions of 390 bytes each: 5 000 of them fill a block. */
    static List<Transaction> transactions(int count) {
        List<Transaction> transactions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] seed = new ByteWriter().i32(i).toByteArray();
            Hash256 spent = Hash256.ofInternal(Sha256d.digest(seed));
            byte[] signature = new byte[TRANSACTION_SIZE - 99];
            TransactionInput input = new TransactionInput(spent, 0, new byte[0], 0xffffffffL, List.of(signature));
            TransactionOutput output = new TransactionOutput(1000, Hex.decode("5220" + "22".repeat(32)));
            transactions.add(Transaction.of(2, List.of(input), List.of(output), 0));
        }
        return transactions;
    }

    static String json(int count, String parent, long curtime) {
        StringBuilder json = new StringBuilder("{\"previousblockhash\":\"")
                .append(parent)
                .append("\",\"height\":1,\"coinbasevalue\":21000000000,\"bits\":\"207fffff\",\"version\":536870912,")
                .append("\"curtime\":")
                .append(curtime)
                .append(",\"mintime\":1738713603,\"weightlimit\":2000000,\"transactions\":[");
        String separator = "";
        for (Transaction transaction : transactions(count)) {
            json.append(separator)
                    .append("{\"data\":\"")
                    .append(transaction.hex())
                    .append("\",\"txid\":\"")
                    .append(transaction.txid().displayHex())
                    .append("\",\"hash\":\"")
                    .append(transaction.wtxid().displayHex())
                    .append("\",\"fee\":1000,\"sigops\":1,\"weight\":")
                    .append(transaction.size())
                    .append(",\"depends\":[]}");
            separator = ",";
        }
        return json.append("]}").toString();
    }

    static WorkTemplate work(int count, int payouts) {
        TransactionSet set = TransactionSet.of(transactions(count));
        byte[] reserved = new byte[32];
        TransactionInput input = new TransactionInput(
                Hash256.ZERO,
                TransactionInput.NULL_INDEX,
                CoinbaseScript.placeholder(70_000, "/PRISM/", 8),
                0xfffffffeL,
                List.of(reserved));
        List<TransactionOutput> outputs = new ArrayList<>();
        for (int i = 0; i < payouts; i++) {
            outputs.add(new TransactionOutput(1, Hex.decode("5220" + "aa".repeat(32))));
        }
        Hash256 commitment = WitnessCommitment.commit(set.witnessRoot(), reserved);
        outputs.add(new TransactionOutput(0, WitnessCommitment.script(commitment)));
        Transaction coinbase = Transaction.of(2, List.of(input), outputs, 69_999);
        BlockTerms terms = new BlockTerms(
                Network.REGTEST.genesisHash(),
                70_000,
                payouts,
                0x20000000,
                CompactTarget.ofHex("207fffff"),
                new BlockTerms.TimeLimits(1738713662, 1738713603, 600));
        CoinbaseSplit split = CoinbaseSplit.of(coinbase.bytes(), coinbase.txid(), 8);
        return new WorkTemplate(terms, set, split, 1, "00".repeat(32));
    }
}
