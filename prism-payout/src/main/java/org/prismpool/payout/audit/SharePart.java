package org.prismpool.payout.audit;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.WindowShare;

/**
 * Where a compact body finds a run of its shares (payout specification 8.17).
 *
 * @param kind how it is found
 * @param segmentFirstShareSeq first sequence of the slot; empty for a file of its own
 * @param segmentLastShareSeq last sequence of the slot; empty for a file of its own
 * @param firstShareSeq first sequence of the run, unsigned 64 bits
 * @param lastShareSeq last sequence of the run, unsigned 64 bits
 * @param shareCount number of shares, unsigned 64 bits
 * @param sha256 hash of the file or of the canonical segment of the run, as the kind says; empty for inline shares
 * @param bodyUri file that holds the shares; empty for inline shares
 * @param shares inline shares; empty for the other kinds
 */
record SharePart(
        Kind kind,
        Optional<Long> segmentFirstShareSeq,
        Optional<Long> segmentLastShareSeq,
        long firstShareSeq,
        long lastShareSeq,
        long shareCount,
        String sha256,
        String bodyUri,
        List<WindowShare> shares) {

    private static final Name KIND = Name.of("kind");
    private static final Name SEGMENT_FIRST = Name.of("segment_first_share_seq");
    private static final Name SEGMENT_LAST = Name.of("segment_last_share_seq");
    private static final Name FIRST_SHARE_SEQ = Name.of("first_share_seq");
    private static final Name LAST_SHARE_SEQ = Name.of("last_share_seq");
    private static final Name SHARE_COUNT = Name.of("share_count");
    private static final Name RANGE_SHA256 = Name.of("range_sha256");
    private static final Name SHA256 = Name.of("sha256");
    private static final Name PREFIX_SHA256 = Name.of("prefix_sha256");
    private static final Name BODY_URI = Name.of("body_uri");
    private static final Name SHARES = Name.of("shares");
    private static final ObjectShape SHAPE = ObjectShape.required(
                    KIND,
                    SEGMENT_FIRST,
                    SEGMENT_LAST,
                    FIRST_SHARE_SEQ,
                    LAST_SHARE_SEQ,
                    SHARE_COUNT,
                    RANGE_SHA256,
                    SHA256,
                    PREFIX_SHA256,
                    BODY_URI,
                    SHARES)
            .except(SEGMENT_FIRST, SEGMENT_LAST, RANGE_SHA256, SHA256, PREFIX_SHA256, BODY_URI, SHARES);

    /** How a part finds its shares. */
    enum Kind {
        /** By sequence in a file that may grow. */
        SEGMENT_RANGE("segment_range", "share segment range"),
        /** A whole immutable file. */
        SEGMENT("segment", "share segment"),
        /** The beginning of a file. */
        SEGMENT_PREFIX("segment_prefix", "share segment prefix"),
        /** In the body itself. */
        INLINE("inline", "inline share part");

        final String text;
        final String label;

        Kind(String text, String label) {
            this.text = text;
            this.label = label;
        }

        private Name digestName() {
            return switch (this) {
                case SEGMENT_RANGE -> RANGE_SHA256;
                case SEGMENT -> SHA256;
                case SEGMENT_PREFIX, INLINE -> PREFIX_SHA256;
            };
        }

        private static Kind of(String text, ExactReader in) {
            for (Kind kind : values()) {
                if (kind.text.equals(text)) {
                    return kind;
                }
            }
            throw in.error("unknown share part kind");
        }
    }

    static SharePart range(long segmentFirst, long segmentLast, ShareSegment run, String sha256, String bodyUri) {
        return new SharePart(
                Kind.SEGMENT_RANGE,
                Optional.of(segmentFirst),
                Optional.of(segmentLast),
                run.firstShareSeq(),
                run.lastShareSeq(),
                run.shareCount(),
                sha256,
                bodyUri,
                List.of());
    }

    /** Writes the part in stored order. */
    void write(CanonicalWriter out) {
        out.beginObject();
        out.member(KIND, kind.text);
        segmentFirstShareSeq.ifPresent(seq -> out.member(SEGMENT_FIRST, seq.longValue()));
        segmentLastShareSeq.ifPresent(seq -> out.member(SEGMENT_LAST, seq.longValue()));
        out.member(FIRST_SHARE_SEQ, firstShareSeq);
        out.member(LAST_SHARE_SEQ, lastShareSeq);
        out.member(SHARE_COUNT, shareCount);
        if (kind == Kind.INLINE) {
            out.members(SHARES, shares, each -> each.write(out));
        } else {
            out.member(kind.digestName(), sha256);
            out.member(BODY_URI, bodyUri);
        }
        out.endObject();
    }

    static SharePart read(ExactReader in, IdentityPool identities) {
        ObjectCursor member = in.object(SHAPE);
        Kind kind = Kind.INLINE;
        Optional<Long> segmentFirst = Optional.empty();
        Optional<Long> segmentLast = Optional.empty();
        long[] range = new long[3];
        Map<Kind, String> digests = new EnumMap<>(Kind.class);
        String uri = null;
        List<WindowShare> shares = null;
        while (member.next()) {
            switch (member.name()) {
                case "kind" -> kind = Kind.of(in.text(), in);
                case "segment_first_share_seq" -> segmentFirst = in.optional(in::unsigned64);
                case "segment_last_share_seq" -> segmentLast = in.optional(in::unsigned64);
                case "first_share_seq" -> range[0] = in.unsigned64();
                case "last_share_seq" -> range[1] = in.unsigned64();
                case "share_count" -> range[2] = in.unsigned64();
                case "range_sha256" -> digests.put(Kind.SEGMENT_RANGE, in.text());
                case "sha256" -> digests.put(Kind.SEGMENT, in.text());
                case "prefix_sha256" -> digests.put(Kind.SEGMENT_PREFIX, in.text());
                case "body_uri" -> uri = in.text();
                default -> {
                    shares = new ArrayList<>();
                    in.array();
                    while (in.hasElement()) {
                        shares.add(WindowShare.read(in, identities));
                    }
                }
            }
        }
        String digest = kind == Kind.INLINE ? "" : digests.get(kind);
        if (kind == Kind.INLINE ? shares == null : digest == null || uri == null) {
            throw in.error("missing field in share part of kind `" + kind.text + "`");
        }
        return new SharePart(
                kind,
                segmentFirst,
                segmentLast,
                range[0],
                range[1],
                range[2],
                digest == null ? "" : digest,
                uri == null ? "" : uri,
                shares == null ? List.of() : shares);
    }
}
