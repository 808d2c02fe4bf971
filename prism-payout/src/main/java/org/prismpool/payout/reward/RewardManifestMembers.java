package org.prismpool.payout.reward;

import java.util.ArrayList;
import java.util.List;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.CountedShare;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.WeightedEntitlement;

/** Names and order of the members of a reward manifest. */
final class RewardManifestMembers {

    static final Name SHARES = Name.of("shares");
    static final Name ENTITLEMENTS = Name.of("entitlements");

    private static final Name SCHEMA = Name.of("schema");
    private static final Name BLOCK_HEIGHT = Name.of("block_height");
    private static final Name COINBASE_VALUE_SATS = Name.of("coinbase_value_sats");
    private static final Name NETWORK_DIFFICULTY = Name.of("network_difficulty");
    private static final Name WINDOW_MULTIPLIER = Name.of("window_multiplier");
    private static final Name REQUESTED = Name.of("requested_window_weight");
    private static final Name COUNTED = Name.of("counted_window_weight");
    private static final Name ANCHOR = Name.of("anchor_job_issued_at_ms");
    private static final Name ANCHOR_SHARE_SEQ = Name.of("anchor_share_seq");
    private static final Name NEWEST_SHARE_SEQ = Name.of("newest_share_seq");
    private static final Name OLDEST_SHARE_SEQ = Name.of("oldest_share_seq");
    private static final Name INCLUDED_SHARE_COUNT = Name.of("included_share_count");
    private static final Name SHARE_SLICE_DIGEST = Name.of("share_slice_digest_hex");
    private static final ObjectShape SHAPE = ObjectShape.required(
            SCHEMA,
            BLOCK_HEIGHT,
            COINBASE_VALUE_SATS,
            NETWORK_DIFFICULTY,
            WINDOW_MULTIPLIER,
            REQUESTED,
            COUNTED,
            ANCHOR,
            ANCHOR_SHARE_SEQ,
            NEWEST_SHARE_SEQ,
            OLDEST_SHARE_SEQ,
            INCLUDED_SHARE_COUNT,
            SHARE_SLICE_DIGEST,
            SHARES,
            ENTITLEMENTS);

    private RewardManifestMembers() {}

    static void writeHeader(CanonicalWriter out, RewardManifest.Header header) {
        FoundBlock block = header.block();
        out.member(SCHEMA, header.schema());
        out.member(BLOCK_HEIGHT, block.blockHeight());
        out.member(COINBASE_VALUE_SATS, block.coinbaseValueSats());
        out.member(NETWORK_DIFFICULTY, block.networkDifficulty());
        out.member(WINDOW_MULTIPLIER, header.windowMultiplier());
        out.member(REQUESTED, header.requestedWindowWeight());
        out.member(COUNTED, header.countedWindowWeight());
        out.signedMember(ANCHOR, block.anchorJobIssuedAtMs());
        out.member(ANCHOR_SHARE_SEQ, header.anchorShareSeq());
        out.member(NEWEST_SHARE_SEQ, header.newestShareSeq());
        out.member(OLDEST_SHARE_SEQ, header.oldestShareSeq());
        out.member(INCLUDED_SHARE_COUNT, header.includedShareCount());
        out.member(SHARE_SLICE_DIGEST, header.shareSliceDigestHex());
    }

    static RewardManifest read(ExactReader in, IdentityPool identities) {
        ObjectCursor member = in.object(SHAPE);
        String schema = "";
        long height = 0;
        long value = 0;
        U128 difficulty = U128.ZERO;
        U128 multiplier = U128.ZERO;
        U128 requested = U128.ZERO;
        U128 counted = U128.ZERO;
        long anchor = 0;
        long anchorSeq = 0;
        long newestSeq = 0;
        long oldestSeq = 0;
        long count = 0;
        String digest = "";
        List<CountedShare> shares = new ArrayList<>();
        List<WeightedEntitlement> entitlements = new ArrayList<>();
        while (member.next()) {
            switch (member.name()) {
                case "schema" -> schema = in.text();
                case "block_height" -> height = in.unsigned64();
                case "coinbase_value_sats" -> value = in.unsigned64();
                case "network_difficulty" -> difficulty = in.unsigned128();
                case "window_multiplier" -> multiplier = in.unsigned128();
                case "requested_window_weight" -> requested = in.unsigned128();
                case "counted_window_weight" -> counted = in.unsigned128();
                case "anchor_job_issued_at_ms" -> anchor = in.signed64();
                case "anchor_share_seq" -> anchorSeq = in.unsigned64();
                case "newest_share_seq" -> newestSeq = in.unsigned64();
                case "oldest_share_seq" -> oldestSeq = in.unsigned64();
                case "included_share_count" -> count = in.unsigned64();
                case "share_slice_digest_hex" -> digest = in.text();
                case "shares" -> {
                    in.array();
                    while (in.hasElement()) {
                        shares.add(CountedShare.read(in, identities));
                    }
                }
                default -> {
                    in.array();
                    while (in.hasElement()) {
                        entitlements.add(WeightedEntitlement.read(in));
                    }
                }
            }
        }
        RewardManifest.Header header = new RewardManifest.Header(
                schema,
                new FoundBlock(height, value, difficulty, anchor),
                multiplier,
                requested,
                counted,
                anchorSeq,
                newestSeq,
                oldestSeq,
                count,
                digest);
        return new RewardManifest(header, shares, entitlements, null);
    }
}
