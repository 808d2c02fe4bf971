package org.prismpool.payout.coinbase;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.json.U128;

/**
 * A coinbase transaction with an account of its outputs (payout specification 8.10).
 *
 * @param schema schema text
 * @param blockHeight height, unsigned 64 bits
 * @param coinbaseValueSats sum of the outputs, unsigned 64 bits
 * @param totalWeight sum of the entitlements' weights
 * @param coinbaseWeightBytes size of the transaction with witness, unsigned 64 bits
 * @param payoutCount number of payout outputs, unsigned 64 bits
 * @param coinbaseTxHex transaction with witness
 * @param coinbaseTxid transaction id, display order
 * @param coinbaseWtxid witness transaction id, display order
 * @param coinbaseScriptSigHex whole input script
 * @param coinbaseScriptSigSuffixHex part after the height, empty when none
 * @param witnessNonceHex witness reserved value
 * @param witnessCommitmentScriptHex script of the last output
 * @param outputs payout outputs in order, without the witness commitment
 */
public record CoinbaseManifest(
        String schema,
        long blockHeight,
        long coinbaseValueSats,
        U128 totalWeight,
        long coinbaseWeightBytes,
        long payoutCount,
        String coinbaseTxHex,
        String coinbaseTxid,
        String coinbaseWtxid,
        String coinbaseScriptSigHex,
        String coinbaseScriptSigSuffixHex,
        String witnessNonceHex,
        String witnessCommitmentScriptHex,
        List<CoinbaseOutput> outputs) {

    /** Schema of a manifest that this library builds. */
    public static final String SCHEMA = "qbit.prism.coinbase-manifest.v1";

    private static final Name SCHEMA_NAME = Name.of("schema");
    private static final Name BLOCK_HEIGHT = Name.of("block_height");
    private static final Name COINBASE_VALUE_SATS = Name.of("coinbase_value_sats");
    private static final Name TOTAL_WEIGHT = Name.of("total_weight");
    private static final Name WEIGHT_BYTES = Name.of("coinbase_weight_bytes");
    private static final Name PAYOUT_COUNT = Name.of("payout_count");
    private static final Name TX_HEX = Name.of("coinbase_tx_hex");
    private static final Name TXID = Name.of("coinbase_txid");
    private static final Name WTXID = Name.of("coinbase_wtxid");
    private static final Name SCRIPT_SIG = Name.of("coinbase_script_sig_hex");
    private static final Name SCRIPT_SIG_SUFFIX = Name.of("coinbase_script_sig_suffix_hex");
    private static final Name WITNESS_NONCE = Name.of("witness_nonce_hex");
    private static final Name WITNESS_COMMITMENT = Name.of("witness_commitment_script_hex");
    private static final Name OUTPUTS = Name.of("outputs");
    private static final ObjectShape SHAPE = ObjectShape.required(
                    SCHEMA_NAME,
                    BLOCK_HEIGHT,
                    COINBASE_VALUE_SATS,
                    TOTAL_WEIGHT,
                    WEIGHT_BYTES,
                    PAYOUT_COUNT,
                    TX_HEX,
                    TXID,
                    WTXID,
                    SCRIPT_SIG,
                    SCRIPT_SIG_SUFFIX,
                    WITNESS_NONCE,
                    WITNESS_COMMITMENT,
                    OUTPUTS)
            .except(WEIGHT_BYTES);

    /** Copies the list. */
    public CoinbaseManifest {
        outputs = List.copyOf(outputs);
    }

    /**
     * Returns the canonical bytes, the message that is signed.
     *
     * @return the bytes
     */
    public byte[] canonicalBytes() {
        return CanonicalWriter.bytesOf(this::write);
    }

    /**
     * Writes the manifest as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        writeMembersBeforeOutputs(out);
        out.members(OUTPUTS, outputs, each -> each.write(out));
        out.endObject();
    }

    /** Writes the manifest in the compact form with the array of its outputs as it was encoded before. */
    void write(CanonicalWriter out, byte[] encodedOutputs) {
        writeMembersBeforeOutputs(out);
        out.name(OUTPUTS);
        out.encoded(encodedOutputs, 0, encodedOutputs.length);
        out.endObject();
    }

    private void writeMembersBeforeOutputs(CanonicalWriter out) {
        out.beginObject();
        out.member(SCHEMA_NAME, schema);
        out.member(BLOCK_HEIGHT, blockHeight);
        out.member(COINBASE_VALUE_SATS, coinbaseValueSats);
        out.member(TOTAL_WEIGHT, totalWeight);
        out.member(WEIGHT_BYTES, coinbaseWeightBytes);
        out.member(PAYOUT_COUNT, payoutCount);
        out.member(TX_HEX, coinbaseTxHex);
        out.member(TXID, coinbaseTxid);
        out.member(WTXID, coinbaseWtxid);
        out.member(SCRIPT_SIG, coinbaseScriptSigHex);
        out.member(SCRIPT_SIG_SUFFIX, coinbaseScriptSigSuffixHex);
        out.member(WITNESS_NONCE, witnessNonceHex);
        out.member(WITNESS_COMMITMENT, witnessCommitmentScriptHex);
    }

    /**
     * Reads a manifest.
     *
     * @param in the reader
     * @return the manifest
     */
    public static CoinbaseManifest read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        String[] texts = new String[8];
        Arrays.fill(texts, "");
        long height = 0;
        long value = 0;
        U128 weight = U128.ZERO;
        long bytes = 0;
        long payouts = 0;
        List<CoinbaseOutput> outputs = new ArrayList<>();
        while (member.next()) {
            switch (member.name()) {
                case "schema" -> texts[0] = in.text();
                case "block_height" -> height = in.unsigned64();
                case "coinbase_value_sats" -> value = in.unsigned64();
                case "total_weight" -> weight = in.unsigned128();
                case "coinbase_weight_bytes" -> bytes = in.unsigned64();
                case "payout_count" -> payouts = in.unsigned64();
                case "coinbase_tx_hex" -> texts[1] = in.text();
                case "coinbase_txid" -> texts[2] = in.text();
                case "coinbase_wtxid" -> texts[3] = in.text();
                case "coinbase_script_sig_hex" -> texts[4] = in.text();
                case "coinbase_script_sig_suffix_hex" -> texts[5] = in.text();
                case "witness_nonce_hex" -> texts[6] = in.text();
                case "witness_commitment_script_hex" -> texts[7] = in.text();
                default -> {
                    in.array();
                    while (in.hasElement()) {
                        outputs.add(CoinbaseOutput.read(in));
                    }
                }
            }
        }
        return new CoinbaseManifest(
                texts[0], height, value, weight, bytes, payouts, texts[1], texts[2], texts[3], texts[4], texts[5],
                texts[6], texts[7], outputs);
    }
}
