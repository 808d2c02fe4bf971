package org.prismpool.payout.signing;

import org.prismpool.payout.json.Hex;

/**
 * Port to a signing key, which may live outside this process.
 *
 * <p>Thread-safe. May block as long as the key's holder takes; nothing is durable, a retry gives the same signature. A signer
 * that cannot sign throws an unchecked exception.
 */
public interface ManifestSigner {

    /**
     * Returns the public key.
     *
     * @return 32 bytes as lower-case hexadecimal text
     */
    String publicKeyHex();

    /**
     * Signs a message with pure Ed25519 (RFC 8032): no prehash, no context.
     *
     * @param message the exact bytes
     * @return 64 bytes, always the same for a message
     */
    byte[] sign(byte[] message);

    /**
     * Signs a message and names the key.
     *
     * @param message the exact bytes
     * @return the signature as documents carry it
     */
    default ManifestSignature signature(byte[] message) {
        return new ManifestSignature(ManifestSignature.ED25519, publicKeyHex(), Hex.encode(sign(message)));
    }
}
