package org.prismpool.payout.window;

import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.json.U128;

/**
 * The block that is paid out, found or being worked on (payout specification 8.3).
 *
 * @param blockHeight height, unsigned 64 bits
 * @param coinbaseValueSats subsidy and fees in sats, unsigned 64 bits
 * @param networkDifficulty difficulty that sets the width of the window
 * @param anchorJobIssuedAtMs instant that freezes the view of the shares, Unix milliseconds
 */
public record FoundBlock(long blockHeight, long coinbaseValueSats, U128 networkDifficulty, long anchorJobIssuedAtMs) {

    private static final Name BLOCK_HEIGHT = Name.of("block_height");
    private static final Name COINBASE_VALUE_SATS = Name.of("coinbase_value_sats");
    private static final Name NETWORK_DIFFICULTY = Name.of("network_difficulty");
    private static final Name ANCHOR = Name.of("anchor_job_issued_at_ms");
    private static final ObjectShape SHAPE =
            ObjectShape.required(BLOCK_HEIGHT, COINBASE_VALUE_SATS, NETWORK_DIFFICULTY, ANCHOR);

    /**
     * Writes the block as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(BLOCK_HEIGHT, blockHeight);
        out.member(COINBASE_VALUE_SATS, coinbaseValueSats);
        out.member(NETWORK_DIFFICULTY, networkDifficulty);
        out.signedMember(ANCHOR, anchorJobIssuedAtMs);
        out.endObject();
    }

    /**
     * Reads a block.
     *
     * @param in the reader
     * @return the block
     */
    public static FoundBlock read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        long blockHeight = 0;
        long value = 0;
        U128 difficulty = U128.ZERO;
        long anchor = 0;
        while (member.next()) {
            switch (member.name()) {
                case "block_height" -> blockHeight = in.unsigned64();
                case "coinbase_value_sats" -> value = in.unsigned64();
                case "network_difficulty" -> difficulty = in.unsigned128();
                default -> anchor = in.signed64();
            }
        }
        return new FoundBlock(blockHeight, value, difficulty, anchor);
    }
}
