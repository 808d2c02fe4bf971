package org.prismpool.payout.signing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.window.PayoutRuleException;

/**
 * An Ed25519 private key given as its 32-byte seed (RFC 8032). Immutable and thread-safe; the public key is computed once.
 * The seed never appears in {@link #toString} or in a message.
 */
public final class SigningSeed implements ManifestSigner {

    /** Bytes of a seed. */
    public static final int SIZE = 32;

    private static final String ALGORITHM = "Ed25519";

    private static final int MAX_FILE = 4096; // 64 digits and some space; a device would never end

    private final PrivateKey privateKey;
    private final String publicKeyHex;

    private SigningSeed(byte[] seed) {
        try {
            this.privateKey = KeyFactory.getInstance(ALGORITHM)
                    .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed));
            this.publicKeyHex = Hex.encode(publicKey(seed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no Ed25519", e);
        }
    }

    /**
     * Returns the key of a seed.
     *
     * @param seed 32 bytes
     * @return the key
     * @throws PayoutRuleException if there are not exactly 32
     */
    public static SigningSeed of(byte[] seed) {
        if (seed.length != SIZE) {
            throw new PayoutRuleException(
                    "invalid manifest signing key seed length: expected 32 bytes, got " + seed.length);
        }
        return new SigningSeed(seed.clone());
    }

    /**
     * Returns the key of a seed given as text.
     *
     * @param hex 64 hexadecimal digits of either case
     * @return the key
     * @throws PayoutRuleException if it is not hexadecimal or not 32 bytes
     */
    public static SigningSeed ofHex(String hex) {
        try {
            return of(Hex.decode(hex));
        } catch (Hex.MalformedHexException e) {
            throw new PayoutRuleException("hex decode failed: " + e.reason());
        }
    }

    /**
     * Returns the key of a seed in a file of hexadecimal text; whitespace around it is ignored.
     *
     * @param file the file
     * @return the key
     * @throws IOException if it cannot be read
     * @throws PayoutRuleException if it does not hold a seed
     */
    public static SigningSeed ofFile(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] text = in.readNBytes(MAX_FILE + 1);
            if (text.length > MAX_FILE) {
                throw new PayoutRuleException("a seed file has at most " + MAX_FILE + " bytes");
            }
            return ofHex(new String(text, StandardCharsets.US_ASCII).strip());
        }
    }

    @Override
    public String publicKeyHex() {
        return publicKeyHex;
    }

    @Override
    public byte[] sign(byte[] message) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(privateKey);
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("signing with Ed25519 failed", e);
        }
    }

    // The JDK derives a public key only while it generates a pair, so it is given the seed as its randomness.
    private static byte[] publicKey(byte[] seed) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
        generator.initialize(NamedParameterSpec.ED25519, new SeedAsRandomness(seed));
        EdECPublicKey key = (EdECPublicKey) generator.generateKeyPair().getPublic();
        byte[] bigEndian = key.getPoint().getY().toByteArray();
        byte[] encoded = new byte[SIZE];
        for (int i = 0; i < SIZE && i < bigEndian.length; i++) {
            encoded[i] = bigEndian[bigEndian.length - 1 - i];
        }
        if (key.getPoint().isXOdd()) {
            encoded[SIZE - 1] = (byte) (encoded[SIZE - 1] | 0x80);
        }
        return encoded;
    }

    /** Hands out one seed, once. */
    private static final class SeedAsRandomness extends SecureRandom {

        private static final long serialVersionUID = 1L;

        private final byte[] seed;

        SeedAsRandomness(byte[] seed) {
            this.seed = seed;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            if (bytes.length != seed.length) {
                throw new IllegalStateException("the key generator did not ask for 32 bytes");
            }
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
        }
    }

    @Override
    public String toString() {
        return "SigningSeed[publicKey=" + publicKeyHex + "]";
    }
}
