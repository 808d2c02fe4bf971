package org.prismpool.payout.signing;

import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;

/**
 * A signature as documents carry it; read from a document it may hold anything.
 *
 * @param algorithm {@code ed25519}
 * @param publicKeyHex 32 bytes as hexadecimal text
 * @param signatureHex 64 bytes as hexadecimal text
 */
public record ManifestSignature(String algorithm, String publicKeyHex, String signatureHex) {

    /** The only algorithm. */
    public static final String ED25519 = "ed25519";

    private static final Name ALGORITHM = Name.of("algorithm");
    private static final Name PUBLIC_KEY_HEX = Name.of("public_key_hex");
    private static final Name SIGNATURE_HEX = Name.of("signature_hex");
    private static final ObjectShape SHAPE = ObjectShape.required(ALGORITHM, PUBLIC_KEY_HEX, SIGNATURE_HEX);

    /**
     * Writes the signature as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(ALGORITHM, algorithm);
        out.member(PUBLIC_KEY_HEX, publicKeyHex);
        out.member(SIGNATURE_HEX, signatureHex);
        out.endObject();
    }

    /**
     * Reads a signature.
     *
     * @param in the reader
     * @return the signature
     */
    public static ManifestSignature read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        String algorithm = "";
        String key = "";
        String signature = "";
        while (member.next()) {
            switch (member.name()) {
                case "algorithm" -> algorithm = in.text();
                case "public_key_hex" -> key = in.text();
                default -> signature = in.text();
            }
        }
        return new ManifestSignature(algorithm, key, signature);
    }
}
