package org.prismpool.payout.audit;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.JsonException;
import org.prismpool.payout.json.JsonTree;

/** The envelope and evidence documents of a publication (payout specification 8.18). */
final class LiveDocuments {

    private static final String ENVELOPE_SCHEMA = "qbit.prism.live-audit-bundle-envelope.v1";
    private static final String EVIDENCE_SCHEMA = "qbit.prism.live-stratum-evidence.v1";
    private static final String LEGACY_SCHEMA = "qbit.prism.legacy-verification-unavailable.v1";
    private static final String LEGACY_REASON = "evidence-predates-deterministic-verification-identity";
    private static final String ACCEPTED_SHARE_COUNT = "accepted_share_count";
    private static final String DISTINCT_MINER_COUNT = "distinct_miner_count";

    private LiveDocuments() {}

    /** Both documents of one publication. */
    @SuppressWarnings("ArrayRecordComponent") // never compared; the bytes are not shared
    record Pair(byte[] envelope, byte[] evidence) {}

    /**
     * What the evidence file holds.
     *
     * @param state how far it can be trusted
     * @param sequence ordinal; 0 if there is none
     * @param blockHash block; empty if unreadable
     * @param members the document
     */
    record Evidence(State state, long sequence, String blockHash, Map<?, ?> members) {

        /** How far evidence can be trusted. */
        enum State {
            /** No file. */
            ABSENT,
            /** Complete and consistent. */
            VALID,
            /** From before ordinals, or before verification was recorded; grants nothing until the ledger proves it. */
            LEGACY,
            /** Unreadable or contradictory; grants nothing. */
            INVALID
        }
    }

    static Pair of(PublicationRequest request, String envelopePath) {
        return new Pair(bytes(envelope(request)), bytes(evidence(request, envelopePath)));
    }

    private static Map<String, @Nullable Object> envelope(PublicationRequest request) {
        VerificationReport report = request.verification().report();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("schema", ENVELOPE_SCHEMA);
        members.put("block_hash", request.blockHash());
        members.put("block_height", unsigned(request.height()));
        members.put("audit_bundle_sha256", report.auditBundleSha256Hex());
        members.put("body_uri", request.body().bodyUri());
        members.put("body_filename", request.body().bodyFilename());
        members.put("coinbase_txid", report.coinbaseTxid());
        members.put("coinbase_manifest_sha256", request.coinbaseManifestSha256());
        members.put("coinbase_tx_hex", report.coinbaseTxHex());
        members.put("coinbase_value_sats", unsigned(report.coinbaseValueSats()));
        members.put("created_at", request.createdAt().toString());
        return members;
    }

    private static Map<String, @Nullable Object> evidence(PublicationRequest request, String envelopePath) {
        VerificationReport report = request.verification().report();
        Map<String, @Nullable Object> members = new LinkedHashMap<>(request.annotations());
        members.put("schema", EVIDENCE_SCHEMA);
        members.put("block_hash", request.blockHash());
        members.put("block_height", unsigned(request.height()));
        members.put("audit_bundle_path", envelopePath);
        Map<String, @Nullable Object> identity = new LinkedHashMap<>();
        identity.put("sequence", request.sequence());
        identity.put("block_height", unsigned(request.height()));
        identity.put("block_hash", request.blockHash());
        members.put("audit_publication_identity", identity);
        members.put("audit_report", JsonTree.parse(CanonicalWriter.bytesOf(report::write)));
        members.put("audit_verification_identity", request.verification().document());
        Map<String, @Nullable Object> persistence = new LinkedHashMap<>();
        persistence.put("audit_bundle_sha256", report.auditBundleSha256Hex());
        persistence.put("body_uri", request.body().bodyUri());
        persistence.put("share_count", request.body().shareCount());
        members.put("persistence", persistence);
        members.put("coinbase_txid", report.coinbaseTxid());
        members.put("coinbase_manifest_sha256_hex", request.coinbaseManifestSha256());
        members.put("coinbase_tx_hex", report.coinbaseTxHex());
        members.put("coinbase_value_sats", unsigned(report.coinbaseValueSats()));
        return members;
    }

    static Evidence read(Optional<byte[]> file) {
        if (file.isEmpty()) {
            return new Evidence(Evidence.State.ABSENT, 0, "", Map.of());
        }
        Object document;
        try {
            document = JsonTree.parse(file.get());
        } catch (JsonException e) {
            return new Evidence(Evidence.State.INVALID, 0, "", Map.of());
        }
        if (!(document instanceof Map<?, ?> members) || !EVIDENCE_SCHEMA.equals(members.get("schema"))) {
            return new Evidence(Evidence.State.INVALID, 0, "", Map.of());
        }
        if (!(members.get("audit_publication_identity") instanceof Map<?, ?> identity)) {
            return members.get("block_hash") instanceof String hash
                    ? new Evidence(Evidence.State.LEGACY, 0, hash, members)
                    : new Evidence(Evidence.State.INVALID, 0, "", members);
        }
        if (!isConsistent(members, identity)) {
            return new Evidence(Evidence.State.INVALID, 0, "", members);
        }
        Map<?, ?> verification = (Map<?, ?>) requireObject(members.get("audit_verification_identity"));
        Evidence.State state = VerificationIdentity.digest(verification).equals(verification.get("identity_sha256_hex"))
                ? Evidence.State.VALID
                : isLegacyMarker(members, identity, verification) ? Evidence.State.LEGACY : Evidence.State.INVALID;
        return state == Evidence.State.INVALID
                ? new Evidence(state, 0, "", members)
                : new Evidence(
                        state,
                        ((BigInteger) requireObject(identity.get("sequence"))).longValueExact(),
                        (String) requireObject(identity.get("block_hash")),
                        members);
    }

    /** Returns whether the place of the verification identity holds the marker that none was ever recorded. */
    private static boolean isLegacyMarker(Map<?, ?> members, Map<?, ?> identity, Map<?, ?> marker) {
        return LEGACY_SCHEMA.equals(marker.get("schema"))
                && LEGACY_REASON.equals(marker.get("reason"))
                && equal(marker.get("block_hash"), identity.get("block_hash"))
                && equal(marker.get("block_height"), identity.get("block_height"))
                && equal(marker.get("audit_publication_sequence"), identity.get("sequence"))
                && members.get("audit_report") instanceof Map<?, ?> report
                && JsonTree.sortedAsciiSha256(report).equals(marker.get("report_identity_sha256_hex"));
    }

    private static boolean isConsistent(Map<?, ?> members, Map<?, ?> identity) {
        return identity.get("sequence") instanceof BigInteger sequence
                && sequence.signum() > 0
                && sequence.bitLength() < 64
                && identity.get("block_hash") instanceof String hash
                && hash.matches("[0-9a-f]{64}")
                && hash.equals(members.get("block_hash"))
                && identity.get("block_height") instanceof BigInteger height
                && height.equals(members.get("block_height"))
                && members.get("audit_report") instanceof Map<?, ?> report
                && members.get("persistence") instanceof Map<?, ?> persistence
                && equal(report.get("audit_bundle_sha256_hex"), persistence.get("audit_bundle_sha256"))
                && equal(report.get("coinbase_txid"), members.get("coinbase_txid"))
                && equal(report.get("coinbase_tx_hex"), members.get("coinbase_tx_hex"))
                && equal(report.get("coinbase_value_sats"), members.get("coinbase_value_sats"))
                && members.get("audit_verification_identity") instanceof Map<?, ?>;
    }

    /** Returns whether two evidence documents say the same, counters that only grow left out. */
    static boolean sameEvidence(Map<?, ?> stored, byte[] fresh) {
        return JsonTree.parse(fresh) instanceof Map<?, ?> other
                && stable(stored).equals(stable(other));
    }

    /** Returns whether two envelopes say the same, the time of writing left out. */
    static boolean sameEnvelope(byte[] stored, byte[] fresh) {
        try {
            return JsonTree.parse(stored) instanceof Map<?, ?> a
                    && JsonTree.parse(fresh) instanceof Map<?, ?> b
                    && without(a, "created_at").equals(without(b, "created_at"));
        } catch (JsonException e) {
            return false;
        }
    }

    private static Map<Object, @Nullable Object> stable(Map<?, ?> evidence) {
        Map<Object, @Nullable Object> stable = without(evidence, ACCEPTED_SHARE_COUNT);
        stable.remove(DISTINCT_MINER_COUNT);
        if (evidence.get("persistence") instanceof Map<?, ?> persistence) {
            stable.put("persistence", without(persistence, "share_count"));
        }
        return stable;
    }

    private static Map<Object, @Nullable Object> without(Map<?, ?> members, String name) {
        Map<Object, @Nullable Object> rest = new LinkedHashMap<>(members);
        rest.remove(name);
        return rest;
    }

    private static boolean equal(@Nullable Object a, @Nullable Object b) {
        return a != null && a.equals(b);
    }

    private static Object requireObject(@Nullable Object value) {
        if (value == null) {
            throw new IllegalStateException("checked before");
        }
        return value;
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    private static byte[] bytes(Map<String, @Nullable Object> members) {
        return JsonTree.sortedAscii(members).getBytes(StandardCharsets.US_ASCII);
    }
}
