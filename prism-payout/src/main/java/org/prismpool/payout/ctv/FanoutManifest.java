package org.prismpool.payout.ctv;

import java.util.List;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Transaction;

/**
 * A fanout with its parent coinbase: everything that is needed to broadcast it (settlement specification 11.2).
 *
 * @param schema schema text
 * @param precommitment the precommitment
 * @param precommitmentSha256Hex its hash
 * @param commitmentWitnessLeafHex its leaf under the block's witness nonce
 * @param parentCoinbaseTxid id of the coinbase, display order
 * @param parentCoinbaseTxHex the coinbase with witness
 * @param parentCoinbaseVout index of the covenant output, unsigned 32 bits
 * @param covenantOutputValueSats value of the covenant output, unsigned 64 bits
 * @param covenantScriptPubkeyHex script of the covenant output
 * @param fanoutTxHex the fanout with witness
 * @param fanoutTxid its id, display order
 */
public record FanoutManifest(
        String schema,
        FanoutPrecommitment precommitment,
        String precommitmentSha256Hex,
        String commitmentWitnessLeafHex,
        String parentCoinbaseTxid,
        String parentCoinbaseTxHex,
        long parentCoinbaseVout,
        long covenantOutputValueSats,
        String covenantScriptPubkeyHex,
        String fanoutTxHex,
        String fanoutTxid) {

    /** Schema of a manifest that this library builds. */
    public static final String SCHEMA = "qbit.prism.ctv-fanout-manifest.v1";

    private static final Name SCHEMA_NAME = Name.of("schema");
    private static final Name PRECOMMITMENT = Name.of("precommitment");
    private static final Name PRECOMMITMENT_SHA256 = Name.of("precommitment_sha256_hex");
    private static final Name WITNESS_LEAF = Name.of("commitment_witness_leaf_hex");
    private static final Name PARENT_TXID = Name.of("parent_coinbase_txid");
    private static final Name PARENT_TX_HEX = Name.of("parent_coinbase_tx_hex");
    private static final Name PARENT_VOUT = Name.of("parent_coinbase_vout");
    private static final Name COVENANT_VALUE = Name.of("covenant_output_value_sats");
    private static final Name COVENANT_SCRIPT = Name.of("covenant_script_pubkey_hex");
    private static final Name FANOUT_TX_HEX = Name.of("fanout_tx_hex");
    private static final Name FANOUT_TXID = Name.of("fanout_txid");
    private static final ObjectShape SHAPE = ObjectShape.required(
            SCHEMA_NAME,
            PRECOMMITMENT,
            PRECOMMITMENT_SHA256,
            WITNESS_LEAF,
            PARENT_TXID,
            PARENT_TX_HEX,
            PARENT_VOUT,
            COVENANT_VALUE,
            COVENANT_SCRIPT,
            FANOUT_TX_HEX,
            FANOUT_TXID);

    /**
     * Where a covenant output is.
     *
     * @param txid id of the coinbase, display order
     * @param txHex the coinbase with witness
     * @param vout index of the output
     */
    public record Parent(String txid, String txHex, long vout) {}

    /**
     * Completes a fanout once its parent is known.
     *
     * @param precommitment the precommitment
     * @param parent the covenant output
     * @return the manifest
     */
    public static FanoutManifest of(FanoutPrecommitment precommitment, Parent parent) {
        List<FanoutTransaction.Payout> payouts = precommitment.outputs().stream()
                .map(output -> new FanoutTransaction.Payout(
                        output.amountSats(),
                        CtvErrors.hash(
                                "output p2mr_program_hex", output.identity().programHex())))
                .toList();
        FanoutTransaction transaction = new FanoutTransaction(
                precommitment.fanoutSequence(),
                precommitment.fanoutLockTime(),
                payouts,
                precommitment.anchorVout().isPresent());
        byte[] witnessed = transaction.witnessed(
                Hash256.ofDisplayHex(parent.txid()),
                parent.vout(),
                CtvErrors.canonical("leaf script", precommitment.ctvLeafScriptHex()),
                CtvErrors.canonical("control block", precommitment.p2mrControlBlockHex()));
        return new FanoutManifest(
                SCHEMA,
                precommitment,
                precommitment.sha256Hex(),
                precommitment.commitmentLeafHex(),
                parent.txid(),
                parent.txHex(),
                parent.vout(),
                precommitment.covenantOutputValueSats(),
                precommitment.covenantScriptPubkeyHex(),
                Hex.encode(witnessed),
                Transaction.parse(witnessed).txid().displayHex());
    }

    /**
     * Returns the canonical bytes, members in declared order.
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
        out.beginObject();
        out.member(SCHEMA_NAME, schema);
        out.name(PRECOMMITMENT);
        precommitment.write(out);
        out.member(PRECOMMITMENT_SHA256, precommitmentSha256Hex);
        out.member(WITNESS_LEAF, commitmentWitnessLeafHex);
        out.member(PARENT_TXID, parentCoinbaseTxid);
        out.member(PARENT_TX_HEX, parentCoinbaseTxHex);
        out.member(PARENT_VOUT, parentCoinbaseVout);
        out.member(COVENANT_VALUE, covenantOutputValueSats);
        out.member(COVENANT_SCRIPT, covenantScriptPubkeyHex);
        out.member(FANOUT_TX_HEX, fanoutTxHex);
        out.member(FANOUT_TXID, fanoutTxid);
        out.endObject();
    }

    /**
     * Reads a manifest.
     *
     * @param in the reader
     * @return the manifest
     */
    public static FanoutManifest read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        String schema = "";
        FanoutPrecommitment precommitment = null;
        String precommitmentSha256 = "";
        String leaf = "";
        String parentTxid = "";
        String parentTxHex = "";
        long parentVout = 0;
        long value = 0;
        String script = "";
        String txHex = "";
        String txid = "";
        while (member.next()) {
            switch (member.name()) {
                case "schema" -> schema = in.text();
                case "precommitment" -> precommitment = FanoutPrecommitment.read(in);
                case "precommitment_sha256_hex" -> precommitmentSha256 = in.text();
                case "commitment_witness_leaf_hex" -> leaf = in.text();
                case "parent_coinbase_txid" -> parentTxid = in.text();
                case "parent_coinbase_tx_hex" -> parentTxHex = in.text();
                case "parent_coinbase_vout" -> parentVout = in.unsigned32();
                case "covenant_output_value_sats" -> value = in.unsigned64();
                case "covenant_script_pubkey_hex" -> script = in.text();
                case "fanout_tx_hex" -> txHex = in.text();
                default -> txid = in.text();
            }
        }
        if (precommitment == null) {
            throw in.error("missing field"); // unreachable: the cursor reports a missing member first
        }
        return new FanoutManifest(
                schema,
                precommitment,
                precommitmentSha256,
                leaf,
                parentTxid,
                parentTxHex,
                parentVout,
                value,
                script,
                txHex,
                txid);
    }
}
