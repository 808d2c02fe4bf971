package org.prismpool.payout.coinbase;

import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.signing.ManifestSignature;
import org.prismpool.payout.signing.ManifestSigner;
import org.prismpool.payout.signing.SignatureVerifier;

/**
 * A coinbase manifest and the pool's signature over its canonical bytes.
 *
 * @param manifest the manifest
 * @param signature the signature
 */
public record SignedCoinbaseManifest(CoinbaseManifest manifest, ManifestSignature signature) {

    private static final Name MANIFEST = Name.of("manifest");
    private static final Name SIGNATURE = Name.of("signature");
    private static final ObjectShape SHAPE = ObjectShape.required(MANIFEST, SIGNATURE);

    /**
     * Signs a manifest.
     *
     * @param manifest the manifest
     * @param signer the pool's key
     * @return the signed manifest
     */
    public static SignedCoinbaseManifest sign(CoinbaseManifest manifest, ManifestSigner signer) {
        return new SignedCoinbaseManifest(manifest, signer.signature(manifest.canonicalBytes()));
    }

    /**
     * Checks the signature against the key that it names.
     *
     * @throws org.prismpool.payout.window.PayoutRuleException if it does not hold
     */
    public void verifySignature() {
        SignatureVerifier.verify(manifest.canonicalBytes(), signature);
    }

    /**
     * Writes the signed manifest as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.name(MANIFEST);
        manifest.write(out);
        out.name(SIGNATURE);
        signature.write(out);
        out.endObject();
    }

    /**
     * Reads a signed manifest.
     *
     * @param in the reader
     * @return the signed manifest
     */
    public static SignedCoinbaseManifest read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        CoinbaseManifest manifest = null;
        ManifestSignature signature = null;
        while (member.next()) {
            if (member.name().equals("manifest")) {
                manifest = CoinbaseManifest.read(in);
            } else {
                signature = ManifestSignature.read(in);
            }
        }
        if (manifest == null || signature == null) {
            throw in.error("missing field"); // unreachable: the cursor reports a missing member first
        }
        return new SignedCoinbaseManifest(manifest, signature);
    }
}
