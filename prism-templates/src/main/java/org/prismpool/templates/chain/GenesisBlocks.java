package org.prismpool.templates.chain;

import java.util.List;

/** The first blocks, rebuilt from the fields in which they differ (spec 03 §1.1). */
enum GenesisBlocks {
    MAINNET(
            "04ffff001d08044c0000000000004c54476f6f676c653a205365637572696e67204543432043727970746f63757272656e6369657320"
                    + "616761696e7374205175616e74756d2056756c6e65726162696c6974696573203935383135373a33616261663835",
            1784131083,
            0x1a7f1ab5,
            1084616938),
    TESTNET4(
            "04ffff001d0800000008f44100004c5146696e616e6369616c2054696d65732031322f4a756e2f32303236205175616e74756d20636f"
                    + "6d707574696e67207265766f6c7574696f6e20697320636c6f736572207468616e20796f75207468696e6b",
            1781704709,
            0x1a7f1ab5,
            2528738861L),
    SIGNET(Scripts.DEVELOPMENT, 1775433600, 0x1f00ffff, 260258),
    REGTEST(Scripts.DEVELOPMENT, 1738713602, 0x207fffff, 1),
    TESTNET3(Scripts.DEVELOPMENT, 1738713601, 0x1f00ffff, 88582);

    private static final long FINAL_SEQUENCE = 0xffffffffL;

    private final String scriptSigHex;
    private final long time;
    private final int bits;
    private final long nonce;

    GenesisBlocks(String scriptSigHex, long time, int bits, long nonce) {
        this.scriptSigHex = scriptSigHex;
        this.time = time;
        this.bits = bits;
        this.nonce = nonce;
    }

    Transaction coinbase() {
        TransactionInput input = new TransactionInput(
                Hash256.ZERO, TransactionInput.NULL_INDEX, Hex.decode(scriptSigHex), FINAL_SEQUENCE, List.of());
        byte[] script = Hex.decode("21" + "00".repeat(33) + "ac");
        TransactionOutput output = new TransactionOutput(Network.INITIAL_SUBSIDY_SATS, script);
        return Transaction.of(1, List.of(input), List.of(output), 0);
    }

    BlockHeader header() {
        return new BlockHeader(1, Hash256.ZERO, coinbase().txid(), time, bits, nonce);
    }

    /** Text shared by the networks without one of their own. */
    private static final class Scripts {
        static final String DEVELOPMENT =
                "04ffff001d010436716269742f76302e3120646576656c6f706d656e742067656e65736973202d206e6f7420666f722070726f64756374"
                        + "696f6e20757365";
    }
}
