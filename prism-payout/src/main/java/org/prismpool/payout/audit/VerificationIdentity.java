package org.prismpool.payout.audit;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.JsonTree;

/**
 * Proof of what was verified, with which key (payout specification 8.18).
 *
 * @param trustSource {@code configured}, or {@code embedded_test_only} if the bundle's own key was used
 * @param ledgerWriterPublicKeyHex the key
 * @param literalSha256Hex hash of the bytes that were verified
 * @param literalByteLength their number
 * @param report what the verifier found
 */
public record VerificationIdentity(
        String trustSource,
        String ledgerWriterPublicKeyHex,
        String literalSha256Hex,
        long literalByteLength,
        VerificationReport report) {

    /** Trust in a key from the configuration. */
    public static final String CONFIGURED = "configured";

    /** Trust in the bundle's own key, for tests only. */
    public static final String EMBEDDED_TEST_ONLY = "embedded_test_only";

    private static final String SCHEMA = "qbit.prism.audit-verification-identity.v1";

    Map<String, @Nullable Object> document() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("schema", SCHEMA);
        members.put("trust_source", trustSource);
        members.put("ledger_writer_public_key_hex", ledgerWriterPublicKeyHex);
        members.put("literal_sha256_hex", literalSha256Hex);
        members.put("literal_byte_len", literalByteLength);
        members.put("report", JsonTree.parse(CanonicalWriter.bytesOf(report::write)));
        members.put("identity_sha256_hex", digest(members));
        return members;
    }

    /** Recomputes the digest of a stored identity over its other members. */
    static String digest(Map<?, ?> members) {
        Map<Object, @Nullable Object> others = new LinkedHashMap<>(members);
        others.remove("identity_sha256_hex");
        return JsonTree.sortedAsciiSha256(others);
    }
}
