package org.prismpool.templates.job;

import java.util.ArrayList;
import java.util.List;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;

/** The inputs of the two documented worked examples, from template to block. */
final class WorkedExamples {

    static final String COUNTING = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    static final String TX1 =
            "020000000122222222222222222222222222222222222222222222222222222222222222220000000003222222"
                    + "ffffffff01e803000000000000225220222222222222222222222222222222222222222222222222222222222222222200000000";
    static final String TX2 =
            "020000000001014444444444444444444444444444444444444444444444444444444444444444000000000344"
                    + "4444ffffffff01e803000000000000225220444444444444444444444444444444444444444444444444444444444444444401"
                    + "05444444444400000000";

    private static final long NON_FINAL_SEQUENCE = 0xfffffffeL;
    private static final int FUTURE_LIMIT = 600;

    private WorkedExamples() {}

    static WorkTemplate exampleA() {
        BlockTerms terms = new BlockTerms(
                Network.REGTEST.genesisHash(),
                1,
                21_000_000_000L,
                0x20000000,
                CompactTarget.ofHex("207fffff"),
                new BlockTerms.TimeLimits(1738713662, 1738713603, FUTURE_LIMIT));
        Transaction coinbase =
                coinbase(1, TransactionSet.EMPTY, new byte[32], List.of(payout(21_000_000_000L, COUNTING)));
        return work(terms, TransactionSet.EMPTY, coinbase);
    }

    static WorkTemplate exampleB() {
        BlockTerms terms = new BlockTerms(
                Hash256.ofDisplayHex("00000000000000000001a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7"),
                70_000,
                20_092_801_000L,
                0x20000000,
                CompactTarget.ofHex("207fffff"),
                new BlockTerms.TimeLimits(1785000000, 1784990001, FUTURE_LIMIT));
        TransactionSet transactions = TransactionSet.of(List.of(Transaction.parseHex(TX1), Transaction.parseHex(TX2)));
        Transaction coinbase = coinbase(
                70_000,
                transactions,
                Hex.decode("77".repeat(32)),
                List.of(
                        payout(2_870_400_143L, "ff".repeat(32)),
                        payout(8_611_200_429L, "aa".repeat(32)),
                        payout(8_611_200_428L, "bb".repeat(32))));
        return work(terms, transactions, coinbase);
    }

    static WorkTemplate work(BlockTerms terms, TransactionSet transactions, Transaction coinbase) {
        CoinbaseSplit split = CoinbaseSplit.of(coinbase.bytes(), coinbase.txid(), 8);
        return new WorkTemplate(terms, transactions, split, 1, "00".repeat(32));
    }

    static Transaction coinbase(
            long height, TransactionSet transactions, byte[] reserved, List<TransactionOutput> payouts) {
        TransactionInput input = new TransactionInput(
                Hash256.ZERO,
                TransactionInput.NULL_INDEX,
                CoinbaseScript.placeholder(height, "/PRISM/", 8),
                NON_FINAL_SEQUENCE,
                List.of(reserved));
        List<TransactionOutput> outputs = new ArrayList<>(payouts);
        Hash256 commitment = WitnessCommitment.commit(transactions.witnessRoot(), reserved);
        outputs.add(new TransactionOutput(0, WitnessCommitment.script(commitment)));
        return Transaction.of(2, List.of(input), outputs, height - 1);
    }

    static TransactionOutput payout(long sats, String programHex) {
        return new TransactionOutput(sats, Hex.decode("5220" + programHex));
    }
}
