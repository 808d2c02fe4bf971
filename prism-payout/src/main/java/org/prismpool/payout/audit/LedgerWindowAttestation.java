package org.prismpool.payout.audit;

import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.signing.ManifestSignature;
import org.prismpool.payout.signing.ManifestSigner;
import org.prismpool.payout.window.FoundBlock;

/**
 * The ledger's statement of which shares and balances a block was paid from (payout specification 8.11).
 *
 * @param schema schema text
 * @param block height, value, difficulty and anchor
 * @param shareSliceDigestHex digest of the counted shares
 * @param priorBalancesDigestHex digest of the balances before the block
 * @param signature signature of the ledger's key over all other members
 */
public record LedgerWindowAttestation(
        String schema,
        FoundBlock block,
        String shareSliceDigestHex,
        String priorBalancesDigestHex,
        ManifestSignature signature) {

    /** Schema of an attestation that this library signs. */
    public static final String SCHEMA = "qbit.prism.ledger-window-attestation.v1";

    private static final Name SCHEMA_NAME = Name.of("schema");
    private static final Name BLOCK_HEIGHT = Name.of("block_height");
    private static final Name COINBASE_VALUE_SATS = Name.of("coinbase_value_sats");
    private static final Name ANCHOR = Name.of("anchor_job_issued_at_ms");
    private static final Name NETWORK_DIFFICULTY = Name.of("network_difficulty");
    private static final Name SHARE_SLICE_DIGEST = Name.of("share_slice_digest_hex");
    private static final Name PRIOR_BALANCES_DIGEST = Name.of("prior_balances_digest_hex");
    private static final Name SIGNATURE = Name.of("signature");
    private static final ObjectShape SHAPE = ObjectShape.required(
            SCHEMA_NAME,
            BLOCK_HEIGHT,
            COINBASE_VALUE_SATS,
            ANCHOR,
            NETWORK_DIFFICULTY,
            SHARE_SLICE_DIGEST,
            PRIOR_BALANCES_DIGEST,
            SIGNATURE);

    static LedgerWindowAttestation sign(
            FoundBlock block, String sliceDigestHex, String priorDigestHex, ManifestSigner signer) {
        ManifestSignature unsigned = new ManifestSignature(ManifestSignature.ED25519, "", "");
        LedgerWindowAttestation statement =
                new LedgerWindowAttestation(SCHEMA, block, sliceDigestHex, priorDigestHex, unsigned);
        return new LedgerWindowAttestation(
                SCHEMA, block, sliceDigestHex, priorDigestHex, signer.signature(statement.signedBytes()));
    }

    /**
     * Returns the message that is signed: the canonical bytes without the signature.
     *
     * @return the bytes
     */
    public byte[] signedBytes() {
        return CanonicalWriter.bytesOf(out -> {
            out.beginObject();
            writeStatement(out);
            out.endObject();
        });
    }

    /**
     * Writes the attestation as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        writeStatement(out);
        out.name(SIGNATURE);
        signature.write(out);
        out.endObject();
    }

    private void writeStatement(CanonicalWriter out) {
        out.member(SCHEMA_NAME, schema);
        out.member(BLOCK_HEIGHT, block.blockHeight());
        out.member(COINBASE_VALUE_SATS, block.coinbaseValueSats());
        out.signedMember(ANCHOR, block.anchorJobIssuedAtMs());
        out.member(NETWORK_DIFFICULTY, block.networkDifficulty());
        out.member(SHARE_SLICE_DIGEST, shareSliceDigestHex);
        out.member(PRIOR_BALANCES_DIGEST, priorBalancesDigestHex);
    }

    /**
     * Reads an attestation.
     *
     * @param in the reader
     * @return the attestation
     */
    public static LedgerWindowAttestation read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        String schema = "";
        long height = 0;
        long value = 0;
        long anchor = 0;
        U128 difficulty = U128.ZERO;
        String sliceDigest = "";
        String priorDigest = "";
        ManifestSignature signature = new ManifestSignature("", "", "");
        while (member.next()) {
            switch (member.name()) {
                case "schema" -> schema = in.text();
                case "block_height" -> height = in.unsigned64();
                case "coinbase_value_sats" -> value = in.unsigned64();
                case "anchor_job_issued_at_ms" -> anchor = in.signed64();
                case "network_difficulty" -> difficulty = in.unsigned128();
                case "share_slice_digest_hex" -> sliceDigest = in.text();
                case "prior_balances_digest_hex" -> priorDigest = in.text();
                default -> signature = ManifestSignature.read(in);
            }
        }
        FoundBlock block = new FoundBlock(height, value, difficulty, anchor);
        return new LedgerWindowAttestation(schema, block, sliceDigest, priorDigest, signature);
    }
}
