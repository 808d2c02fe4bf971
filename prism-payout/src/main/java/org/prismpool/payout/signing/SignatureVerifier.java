package org.prismpool.payout.signing;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.window.PayoutRuleException;

/** Verifies Ed25519 signatures of documents (payout specification 10, item 5). Thread-safe. */
public final class SignatureVerifier {

    private static final String ALGORITHM = "Ed25519";
    private static final int KEY_SIZE = 32;
    private static final int SIGNATURE_SIZE = 64;

    private SignatureVerifier() {}

    /**
     * Checks a signature against the key that it names; whether that key is trusted is the caller's question.
     *
     * @param message the exact bytes that were signed
     * @param signature the signature
     * @throws PayoutRuleException with the contract text if algorithm, lengths or the signature itself are wrong
     */
    public static void verify(byte[] message, ManifestSignature signature) {
        if (!signature.algorithm().equals(ManifestSignature.ED25519)) {
            throw failed();
        }
        byte[] key = decode(signature.publicKeyHex());
        if (key.length != KEY_SIZE) {
            throw new PayoutRuleException("invalid manifest public key length: expected 32 bytes, got " + key.length);
        }
        byte[] value = decode(signature.signatureHex());
        if (value.length != SIGNATURE_SIZE) {
            throw new PayoutRuleException("invalid manifest signature length: expected 64 bytes, got " + value.length);
        }
        if (!isValid(key, message, value)) {
            throw failed();
        }
    }

    private static boolean isValid(byte[] key, byte[] message, byte[] value) {
        try {
            Signature verifier = Signature.getInstance(ALGORITHM);
            verifier.initVerify(publicKey(key));
            verifier.update(message);
            return verifier.verify(value);
        } catch (GeneralSecurityException e) {
            return false; // a point off the curve or a non-canonical scalar: not a valid signature
        }
    }

    private static PublicKey publicKey(byte[] littleEndian) throws GeneralSecurityException {
        byte[] bigEndian = new byte[KEY_SIZE];
        for (int i = 0; i < KEY_SIZE; i++) {
            bigEndian[i] = littleEndian[KEY_SIZE - 1 - i];
        }
        boolean xOdd = bigEndian[0] < 0;
        bigEndian[0] = (byte) (bigEndian[0] & 0x7f);
        EdECPoint point = new EdECPoint(xOdd, new BigInteger(1, bigEndian));
        return KeyFactory.getInstance(ALGORITHM)
                .generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point));
    }

    private static byte[] decode(String hex) {
        try {
            return Hex.decode(hex);
        } catch (Hex.MalformedHexException e) {
            throw new PayoutRuleException("hex decode failed: " + e.reason());
        }
    }

    private static PayoutRuleException failed() {
        return new PayoutRuleException("manifest signature verification failed");
    }
}
