package org.prismpool.bundle;

import java.util.Objects;
import org.prismpool.templates.job.CoinbaseScript;

/**
 * What names this pool in its work.
 *
 * @param coinbaseTag text behind the height in every coinbase, printable ASCII, at most 40 bytes, may be empty
 * @param manifestPublicKeyHex public key that coinbase manifests must be signed with
 * @param ledgerPublicKeyHex public key that window attestations must be signed with
 */
public record BundleIdentity(String coinbaseTag, String manifestPublicKeyHex, String ledgerPublicKeyHex) {

    /** Checks the components. */
    public BundleIdentity {
        CoinbaseScript.tag(coinbaseTag);
        Objects.requireNonNull(manifestPublicKeyHex, "manifestPublicKeyHex");
        Objects.requireNonNull(ledgerPublicKeyHex, "ledgerPublicKeyHex");
    }
}
