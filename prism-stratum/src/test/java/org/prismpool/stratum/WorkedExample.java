package org.prismpool.stratum;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.job.BlockTerms;
import org.prismpool.templates.job.CoinbaseSplit;
import org.prismpool.templates.job.TransactionSet;
import org.prismpool.templates.job.WorkTemplate;

/** The worked example of spec 02 §5.6, and works derived from it. */
public final class WorkedExample {

    public static final String ADDRESS = "qbrt1z424242424242424242424242424242424242424242424242424q3e5g4k";
    public static final String USER = ADDRESS + ".rig1";
    public static final String PARENT = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    public static final String EN2 = "0102030405060708";
    public static final String NTIME = "6553f105";
    public static final String BITS = "00a54000";
    public static final String HASH_51_PLAIN = "20a68d06cc2bd8c49dc186029f9d9c69ed9d09f4fb419da82ef30d93f570faf4";
    public static final String HASH_51 = "02e47af7d623b906f662243ee5f4b18934ad8b72430e85b467d6cab2ab9843dd";
    public static final String COINBASE =
            "020000000001010000000000000000000000000000000000000000000000000000000000000000ffffffff160290002f505249534d2f"
                    + "000000000000000000000000feffffff0200f2052a01000000225220aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                    + "aaaaaaaaaaaaaaaaaaaa0000000000000000266a24aa21a9ed99cba7078d342977081212052c308215101d65a56682b78bb35cbd"
                    + "42cd3e1105012000000000000000000000000000000000000000000000000000000000000000008f000000";
    public static final String NOTIFY_7 = "{\"id\": null, \"method\": \"mining.notify\", \"params\": [\"prism-7\", "
            + "\"1c1d1e1f18191a1b14151617101112130c0d0e0f08090a0b0405060700010203\", "
            + "\"02000000010000000000000000000000000000000000000000000000000000000000000000ffffffff160290002f505249534d2f\", "
            + "\"feffffff0200f2052a01000000225220aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa00000000"
            + "00000000266a24aa21a9ed99cba7078d342977081212052c308215101d65a56682b78bb35cbd42cd3e11058f000000\", "
            + "[\"deff02385ec97068e15c0cdc8b35bc4418e00b72370587699787648979aa6b56\", "
            + "\"7bd6fd69f387fb2833588868b6c388cc67d0c093414ebf466c07f83ada4b82ef\"], "
            + "\"20000000\", \"207fffff\", \"6553f100\", true]}";

    private static final List<String> TRANSACTIONS = List.of(
            "010000000122222222222222222222222222222222222222222222222222222222222222220000000003222222ffffffff0101000000"
                    + "00000000015100000000",
            "0100000000010144444444444444444444444444444444444444444444444444444444444444440000000003444444ffffffff01010000"
                    + "000000000001510105444444444400000000",
            "010000000133333333333333333333333333333333333333333333333333333333333333330000000003333333ffffffff0101000000"
                    + "00000000015100000000");

    private WorkedExample() {}

    public static WorkTemplate template() {
        return template(PARENT, 144, 0x20000000, "207fffff");
    }

    public static WorkTemplate template(String parent, long height, int version, String bits) {
        return template(parent, height, version, bits, 1_700_000_000L, 1_699_990_000L);
    }

    public static WorkTemplate template(
            String parent, long height, int version, String bits, long curtime, long mintime) {
        byte[] coinbase = Hex.decode(COINBASE);
        Stream<Transaction> transactions =
                TRANSACTIONS.stream().map(Hex::decode).map(Transaction::parse);
        return new WorkTemplate(
                new BlockTerms(
                        Hash256.ofDisplayHex(parent),
                        height,
                        5_000_000_000L,
                        version,
                        CompactTarget.ofHex(bits),
                        new BlockTerms.TimeLimits(curtime, mintime, 600)),
                TransactionSet.of(transactions.toList()),
                CoinbaseSplit.of(coinbase, Transaction.parse(coinbase).txid(), 8),
                1,
                "00".repeat(32));
    }

    /** The example with so many further outputs: a coinbase of 43 bytes more for each. */
    public static SharedWork largeWork(int outputs) {
        String count = outputs + 2 < 253
                ? String.format("%02x", outputs + 2)
                : String.format("fd%02x%02x", outputs + 2 & 0xff, outputs + 2 >> 8);
        String output = "0000000000000000225220" + "bb".repeat(32);
        String large = COINBASE.replace("feffffff0200f2", "feffffff" + count + output.repeat(outputs) + "00f2");
        byte[] coinbase = Hex.decode(large);
        WorkTemplate small = template();
        return new SharedWork(
                new WorkTemplate(
                        small.terms(),
                        small.transactions(),
                        CoinbaseSplit.of(coinbase, Transaction.parse(coinbase).txid(), 8),
                        1,
                        "00".repeat(32)),
                WorkLabels.NONE);
    }

    /** The example with so many transactions of so many bytes instead of its own. */
    public static SharedWork heavyWork(int transactions, int bytes, String bits) {
        WorkTemplate small = template(PARENT, 144, 0x20000000, bits);
        String script = String.format("fe%02x%02x%02x00", bytes & 0xff, bytes >> 8 & 0xff, bytes >> 16);
        List<Transaction> heavy = new ArrayList<>();
        for (int i = 1; i <= transactions; i++) {
            heavy.add(Transaction.parse(
                    Hex.decode("0100000001" + String.format("%02x", i).repeat(32) + "00000000" + script
                            + "51".repeat(bytes) + "ffffffff0101000000000000000151" + "00000000")));
        }
        return new SharedWork(
                new WorkTemplate(small.terms(), TransactionSet.of(heavy), small.coinbase(), 1, "00".repeat(32)),
                WorkLabels.NONE);
    }

    public static SharedWork work() {
        return new SharedWork(template(), WorkLabels.NONE);
    }

    public static SharedWork work(String parent) {
        return new SharedWork(template(parent, 144, 0x20000000, "207fffff"), WorkLabels.NONE);
    }

    public static SharedWork workWithBits(String bits) {
        return new SharedWork(template(PARENT, 144, 0x20000000, bits), WorkLabels.NONE);
    }

    public static Hash256 parent() {
        return Hash256.ofDisplayHex(PARENT);
    }
}
