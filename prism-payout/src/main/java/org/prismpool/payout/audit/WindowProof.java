package org.prismpool.payout.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.JsonTree;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.reward.RewardManifest;
import org.prismpool.payout.window.IdentityPool;

/**
 * The part of a v2 body that says which shares it stands for and where they are (payout specification 8.17).
 *
 * @param schema schema text
 * @param shareSegmentSize slots hold this many shares
 * @param firstShareSeq first sequence, unsigned 64 bits
 * @param lastShareSeq last sequence, unsigned 64 bits
 * @param shareCount number of shares, unsigned 64 bits
 * @param partsDigestHex digest of the parts; empty for none
 * @param parts the parts
 * @param sliceDigestHex share-slice digest of the reward manifest; empty for none
 */
record WindowProof(
        String schema,
        long shareSegmentSize,
        long firstShareSeq,
        long lastShareSeq,
        long shareCount,
        Optional<String> partsDigestHex,
        List<SharePart> parts,
        Optional<String> sliceDigestHex) {

    static final String SCHEMA = "qbit.prism.window-completeness-proof.v1";

    private static final Name SCHEMA_NAME = Name.of("schema");
    private static final Name SEGMENT_SIZE = Name.of("share_segment_size");
    private static final Name FIRST_SHARE_SEQ = Name.of("first_share_seq");
    private static final Name LAST_SHARE_SEQ = Name.of("last_share_seq");
    private static final Name SHARE_COUNT = Name.of("share_count");
    private static final Name PARTS_DIGEST = Name.of("share_parts_digest_hex");
    private static final Name SHARE_PARTS = Name.of("share_parts");
    private static final Name ANCHOR = Name.of("anchor_job_issued_at_ms");
    private static final Name ANCHOR_SHARE_SEQ = Name.of("anchor_share_seq");
    private static final Name NEWEST_SHARE_SEQ = Name.of("newest_share_seq");
    private static final Name OLDEST_SHARE_SEQ = Name.of("oldest_share_seq");
    private static final Name INCLUDED_SHARE_COUNT = Name.of("included_share_count");
    private static final Name REQUESTED = Name.of("requested_window_weight");
    private static final Name COUNTED = Name.of("counted_window_weight");
    private static final Name SLICE_DIGEST = Name.of("share_slice_digest_hex");
    private static final ObjectShape SHAPE = ObjectShape.required(
                    SCHEMA_NAME,
                    SEGMENT_SIZE,
                    FIRST_SHARE_SEQ,
                    LAST_SHARE_SEQ,
                    SHARE_COUNT,
                    PARTS_DIGEST,
                    SHARE_PARTS,
                    SLICE_DIGEST)
            .except(SEGMENT_SIZE, PARTS_DIGEST, SLICE_DIGEST);

    /** Returns whether the stated digest is that of the parts: in stored or in alphabetical order of members. */
    boolean partsDigestHolds() {
        if (partsDigestHex.isEmpty()) {
            return true;
        }
        String stated = partsDigestHex.get();
        byte[] stored = partsDocument(parts);
        return Hex.equalsIgnoringAsciiCase(Sha256.hex(stored), stated)
                || Hex.equalsIgnoringAsciiCase(Sha256.hex(ShareParts.escaped(stored)), stated)
                || Hex.equalsIgnoringAsciiCase(JsonTree.sortedAsciiSha256(JsonTree.parse(stored)), stated);
    }

    /** Writes the proof with its copies from the reward manifest. */
    void write(CanonicalWriter out, RewardManifest.Header reward) {
        out.beginObject();
        out.member(SCHEMA_NAME, schema);
        out.member(SEGMENT_SIZE, shareSegmentSize);
        out.member(FIRST_SHARE_SEQ, firstShareSeq);
        out.member(LAST_SHARE_SEQ, lastShareSeq);
        out.member(SHARE_COUNT, shareCount);
        out.member(PARTS_DIGEST, Sha256.hex(partsDocument(parts)));
        out.members(SHARE_PARTS, parts, each -> each.write(out));
        out.signedMember(ANCHOR, reward.block().anchorJobIssuedAtMs());
        out.member(ANCHOR_SHARE_SEQ, reward.anchorShareSeq());
        out.member(NEWEST_SHARE_SEQ, reward.newestShareSeq());
        out.member(OLDEST_SHARE_SEQ, reward.oldestShareSeq());
        out.member(INCLUDED_SHARE_COUNT, reward.includedShareCount());
        out.member(REQUESTED, reward.requestedWindowWeight());
        out.member(COUNTED, reward.countedWindowWeight());
        out.member(SLICE_DIGEST, reward.shareSliceDigestHex());
        out.endObject();
    }

    static WindowProof read(ExactReader in, IdentityPool identities) {
        ObjectCursor member = in.object(SHAPE);
        String schema = "";
        long[] numbers = new long[4];
        Optional<String> digest = Optional.empty();
        List<SharePart> parts = new ArrayList<>();
        Optional<String> slice = Optional.empty();
        while (member.next()) {
            switch (member.name()) {
                case "schema" -> schema = in.text();
                case "share_segment_size" -> numbers[0] = in.unsigned64();
                case "first_share_seq" -> numbers[1] = in.unsigned64();
                case "last_share_seq" -> numbers[2] = in.unsigned64();
                case "share_count" -> numbers[3] = in.unsigned64();
                case "share_parts_digest_hex" -> digest = in.optional(in::text);
                case "share_parts" -> {
                    in.array();
                    while (in.hasElement()) {
                        parts.add(SharePart.read(in, identities));
                    }
                }
                default -> slice = in.optional(in::text);
            }
        }
        return new WindowProof(schema, numbers[0], numbers[1], numbers[2], numbers[3], digest, parts, slice);
    }

    private static byte[] partsDocument(List<SharePart> parts) {
        return CanonicalWriter.bytesOf(out -> {
            out.beginObject();
            out.members(SHARE_PARTS, parts, each -> each.write(out));
            out.endObject();
        });
    }
}
