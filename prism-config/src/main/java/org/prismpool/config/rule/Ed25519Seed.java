package org.prismpool.config.rule;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.util.HexFormat;

/** Derives the public key of an Ed25519 seed with the JDK alone. Source: RFC 8032 §5.1.5. */
final class Ed25519Seed {

    private static final int LENGTH = 32;

    private Ed25519Seed() {}

    static String publicKeyHex(String seedHex) {
        byte[] seed = HexFormat.of().parseHex(seedHex);
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
            generator.initialize(NamedParameterSpec.ED25519, new FixedRandom(seed));
            EdECPublicKey key = (EdECPublicKey) generator.generateKeyPair().getPublic();
            return HexFormat.of().formatHex(encoded(key));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("this Java has no Ed25519", missing);
        }
    }

    private static byte[] encoded(EdECPublicKey key) {
        byte[] bigEndian = key.getPoint().getY().toByteArray();
        byte[] encoded = new byte[LENGTH];
        for (int i = 0; i < LENGTH && i < bigEndian.length; i++) {
            encoded[i] = bigEndian[bigEndian.length - 1 - i];
        }
        if (key.getPoint().isXOdd()) {
            encoded[LENGTH - 1] |= (byte) 0x80;
        }
        return encoded;
    }

    /** The generator asks for exactly the 32 seed bytes; the known-answer test pins that. */
    private static final class FixedRandom extends SecureRandom {
        private final transient byte[] seed;

        private FixedRandom(byte[] seed) {
            this.seed = seed;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            if (bytes.length != seed.length) {
                throw new IllegalStateException("key generator asked for " + bytes.length + " bytes");
            }
            System.arraycopy(seed, 0, bytes, 0, seed.length);
        }
    }
}
