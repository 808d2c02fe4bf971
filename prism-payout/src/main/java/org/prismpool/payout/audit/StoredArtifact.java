package org.prismpool.payout.audit;

/**
 * A body in the store.
 *
 * @param bodyUri absolute path of the file
 * @param bodyFilename its name
 * @param auditBundleSha256 identity of the bundle that it stands for
 * @param schema schema of that bundle
 * @param byteLength stored length
 * @param shareCount shares of the bundle
 */
public record StoredArtifact(
        String bodyUri,
        String bodyFilename,
        String auditBundleSha256,
        String schema,
        long byteLength,
        long shareCount) {}
