package org.prismpool.payout.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.reward.RewardManifest;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WindowShare;

/**
 * A bundle stored without its shares, which lie in segment files: body v2 or the legacy body reference (payout specification
 * 8.17). Its identity is always the SHA-256 of the bundle that it stands for.
 */
final class CompactBody {

    static final String SCHEMA_V2 = "qbit.prism.audit-bundle.v2";
    static final String SCHEMA_REF = "qbit.prism.audit-body-ref.v1";

    private static final Name SCHEMA = Name.of("schema");
    private static final Name BLOCK_HASH = Name.of("block_hash");
    private static final Name BUNDLE_SHA256 = Name.of("audit_bundle_sha256");
    private static final Name LOGICAL_SCHEMA = Name.of("logical_audit_bundle_schema");
    private static final Name SHARE_COUNT = Name.of("share_count");
    private static final Name SHARES_KEY_INDEX = Name.of("shares_key_index");
    private static final Name BUNDLE_WITHOUT_SHARES = Name.of("bundle_without_shares");
    private static final Name PROOF = Name.of("share_window_proof");
    private static final Name SHARE_PARTS = Name.of("share_parts");
    private static final ObjectShape V2 =
            ObjectShape.required(SCHEMA, BUNDLE_SHA256, SHARE_COUNT, BUNDLE_WITHOUT_SHARES, PROOF);
    private static final ObjectShape REF =
            ObjectShape.required(SCHEMA, BUNDLE_SHA256, SHARE_COUNT, BUNDLE_WITHOUT_SHARES, SHARE_PARTS);
    private static final long SHARES_POSITION = 1;

    private final String bundleSha256;
    private final long shareCount;
    private final AuditBundle withoutShares;
    private final @Nullable WindowProof proof; // null for a legacy reference
    private final List<SharePart> parts;

    private CompactBody(
            String bundleSha256,
            long shareCount,
            AuditBundle withoutShares,
            @Nullable WindowProof proof,
            List<SharePart> parts) {
        this.bundleSha256 = bundleSha256;
        this.shareCount = shareCount;
        this.withoutShares = withoutShares;
        this.proof = proof;
        this.parts = parts;
    }

    static CompactBody read(ExactReader in, boolean v2) {
        IdentityPool identities = new IdentityPool();
        ObjectCursor member = in.object(v2 ? V2 : REF);
        String sha256 = "";
        long count = 0;
        AuditBundle bundle = null;
        WindowProof proof = null;
        List<SharePart> parts = new ArrayList<>();
        while (member.next()) {
            switch (member.name()) {
                case "schema" -> in.text();
                case "audit_bundle_sha256" -> sha256 = in.text();
                case "share_count" -> count = in.unsigned64();
                case "bundle_without_shares" -> bundle = AuditBundleDocument.read(in, false);
                case "share_window_proof" -> {
                    proof = WindowProof.read(in, identities);
                    parts = proof.parts();
                }
                default -> {
                    in.array();
                    while (in.hasElement()) {
                        parts.add(SharePart.read(in, identities));
                    }
                }
            }
        }
        in.end();
        if (bundle == null) {
            throw in.error("missing field"); // unreachable: the cursor reports a missing member first
        }
        return new CompactBody(sha256, count, bundle, proof, parts);
    }

    /** Returns the bundle that the body stands for, every statement of the body checked. */
    AuditBundle reconstruct(SegmentFiles files) {
        WindowProof stated = proof;
        if (stated != null && !stated.schema().equals(WindowProof.SCHEMA)) {
            throw ShareParts.invalid("unsupported window proof schema " + stated.schema());
        }
        if (bundleSha256.length() != 64 || !isHex(bundleSha256)) {
            throw ShareParts.invalid("audit_bundle_sha256 must be 64 hex characters");
        }
        if (stated != null && !stated.partsDigestHolds()) {
            throw ShareParts.invalid("window proof share_parts_digest_hex mismatch");
        }
        List<WindowShare> shares = ShareParts.collect(parts, files);
        checkCount(shareCount, shares);
        if (stated != null) {
            checkCount(stated.shareCount(), shares);
        }
        ShareParts.checkContiguous(shares, stated == null ? "audit body ref" : "audit-bundle.v2");
        AuditBundle bundle = withoutShares.withShares(shares);
        if (stated != null) {
            checkProof(stated, bundle);
        }
        String actual = bundle.sha256Hex();
        if (!Hex.equalsIgnoringAsciiCase(actual, bundleSha256)) {
            throw ShareParts.hashMismatch(bundleSha256, actual);
        }
        return bundle;
    }

    private static void checkCount(long expected, List<WindowShare> shares) {
        if (expected != shares.size()) {
            throw ShareParts.invalid(
                    "expected " + Long.toUnsignedString(expected) + " shares, reconstructed " + shares.size());
        }
    }

    private static void checkProof(WindowProof proof, AuditBundle bundle) {
        List<WindowShare> shares = bundle.shares();
        if (shares.isEmpty()
                || shares.get(0).shareSeq() != proof.firstShareSeq()
                || shares.get(shares.size() - 1).shareSeq() != proof.lastShareSeq()) {
            throw ShareParts.invalid("window proof share_seq range does not match reconstructed shares");
        }
        RewardManifest reward;
        try {
            reward = RewardManifest.of(RewardWindow.of(shares, bundle.foundBlock()));
        } catch (PayoutRuleException e) {
            throw ShareParts.invalid("audit-bundle.v2 reward manifest reconstruction failed: " + e.reason());
        }
        Optional<String> slice = proof.sliceDigestHex();
        if (slice.isPresent() && !slice.get().equals(reward.header().shareSliceDigestHex())) {
            throw ShareParts.invalid("window proof share_slice_digest_hex mismatch");
        }
        if (!reward.sameAs(bundle.rewardManifest())) {
            throw ShareParts.invalid("audit-bundle.v2 reward_manifest mismatch");
        }
    }

    private static boolean isHex(String text) {
        try {
            return Hex.decode(text).length > 0;
        } catch (Hex.MalformedHexException e) {
            return false;
        }
    }

    /** What a v2 body is written from. */
    record Storage(String blockHash, String bundleSha256, long segmentSize, List<SharePart> parts) {}

    /** Writes a v2 body. */
    static void write(CanonicalWriter out, AuditBundle bundle, Storage storage) {
        List<WindowShare> shares = bundle.shares();
        WindowProof proof = new WindowProof(
                WindowProof.SCHEMA,
                storage.segmentSize(),
                shares.get(0).shareSeq(),
                shares.get(shares.size() - 1).shareSeq(),
                shares.size(),
                Optional.empty(),
                storage.parts(),
                Optional.empty());
        out.beginObject();
        out.member(SCHEMA, SCHEMA_V2);
        out.member(BLOCK_HASH, storage.blockHash());
        out.member(BUNDLE_SHA256, storage.bundleSha256());
        out.member(LOGICAL_SCHEMA, bundle.schema());
        out.member(SHARE_COUNT, shares.size());
        out.member(SHARES_KEY_INDEX, SHARES_POSITION);
        out.name(BUNDLE_WITHOUT_SHARES);
        AuditBundleDocument.write(out, bundle, false);
        out.name(PROOF);
        proof.write(out, bundle.rewardManifest().header());
        out.endObject();
    }
}
