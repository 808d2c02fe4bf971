package org.prismpool.sharewriter.read;

import org.prismpool.sharewriter.block.AuditBundleRow;

/** A public document, found by its digest. */
public sealed interface PublicArtifact {

    /**
     * An audit bundle.
     *
     * @param block display hash of a block with this bundle
     * @param bundle the bundle, with the place of its body
     */
    record Bundle(String block, AuditBundleRow bundle) implements PublicArtifact {}

    /**
     * A manifest set.
     *
     * @param canonicalJson text that the digest was computed over
     */
    record ManifestSet(String canonicalJson) implements PublicArtifact {}

    /**
     * A manifest.
     *
     * @param canonicalJson text that the digest was computed over
     */
    record Manifest(String canonicalJson) implements PublicArtifact {}

    /**
     * A fanout transaction, found by its id.
     *
     * @param txHex complete transaction
     */
    record FanoutTransaction(String txHex) implements PublicArtifact {}
}
