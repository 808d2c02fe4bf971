package org.prismpool.payout.audit;

import java.util.ArrayList;
import java.util.List;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.WindowShare;

/**
 * A run of shares that several bundles refer to (payout specification 8.17).
 *
 * @param schema schema text
 * @param firstShareSeq sequence of the first share, unsigned 64 bits
 * @param lastShareSeq sequence of the last share, unsigned 64 bits
 * @param shareCount number of shares, unsigned 64 bits
 * @param shares ascending, contiguous
 */
public record ShareSegment(
        String schema, long firstShareSeq, long lastShareSeq, long shareCount, List<WindowShare> shares) {

    /** Schema of a segment that this library writes. */
    public static final String SCHEMA = "qbit.prism.audit-share-segment.v1";

    private static final Name SCHEMA_NAME = Name.of("schema");
    private static final Name FIRST_SHARE_SEQ = Name.of("first_share_seq");
    private static final Name LAST_SHARE_SEQ = Name.of("last_share_seq");
    private static final Name SHARE_COUNT = Name.of("share_count");
    private static final Name SHARES = Name.of("shares");
    private static final ObjectShape SHAPE =
            ObjectShape.required(SCHEMA_NAME, FIRST_SHARE_SEQ, LAST_SHARE_SEQ, SHARE_COUNT, SHARES);

    /**
     * Returns the segment of a run of shares.
     *
     * @param shares ascending, contiguous, at least one
     * @return the segment
     */
    public static ShareSegment of(List<WindowShare> shares) {
        return new ShareSegment(
                SCHEMA, shares.get(0).shareSeq(), shares.get(shares.size() - 1).shareSeq(), shares.size(), shares);
    }

    /**
     * Returns the canonical bytes, the form that is written.
     *
     * @return the bytes
     */
    public byte[] canonicalBytes() {
        return CanonicalWriter.bytesOf(this::write);
    }

    /**
     * Writes the segment as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(SCHEMA_NAME, schema);
        out.member(FIRST_SHARE_SEQ, firstShareSeq);
        out.member(LAST_SHARE_SEQ, lastShareSeq);
        out.member(SHARE_COUNT, shareCount);
        out.members(SHARES, shares, each -> each.write(out));
        out.endObject();
    }

    /**
     * Reads a segment document.
     *
     * @param in the reader
     * @param identities gives shares of one miner the same identity object
     * @return the segment
     */
    public static ShareSegment read(ExactReader in, IdentityPool identities) {
        ObjectCursor member = in.object(SHAPE);
        String schema = "";
        long first = 0;
        long last = 0;
        long count = 0;
        List<WindowShare> shares = new ArrayList<>();
        while (member.next()) {
            switch (member.name()) {
                case "schema" -> schema = in.text();
                case "first_share_seq" -> first = in.unsigned64();
                case "last_share_seq" -> last = in.unsigned64();
                case "share_count" -> count = in.unsigned64();
                default -> {
                    in.array();
                    while (in.hasElement()) {
                        shares.add(WindowShare.read(in, identities));
                    }
                }
            }
        }
        in.end();
        return new ShareSegment(schema, first, last, count, shares);
    }
}
