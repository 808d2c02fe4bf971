package org.prismpool.payout.reward;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.CountedShare;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WeightedEntitlement;

/**
 * The published account of a reward window (payout specification 8.6): which shares counted, by how much, and what each
 * miner's work sums to. Immutable; either computed from a window or read from a document, which then may hold anything.
 */
public final class RewardManifest {

    /** Schema of a manifest that this library computes. */
    public static final String SCHEMA = "qbit.prism.reward-manifest.v1";

    private final Header header;
    private final List<CountedShare> shares;
    private final List<WeightedEntitlement> entitlements;
    private final @Nullable RewardWindow window; // present when computed: writes its shares faster

    /**
     * The members before the lists.
     *
     * @param schema schema text
     * @param block height, value, difficulty and anchor
     * @param windowMultiplier width of the window in network difficulties
     * @param requestedWindowWeight width of the window
     * @param countedWindowWeight work that counts
     * @param anchorShareSeq sequence of the newest counted share, unsigned 64 bits
     * @param newestShareSeq the same
     * @param oldestShareSeq sequence of the oldest counted share, unsigned 64 bits
     * @param includedShareCount number of counted shares, unsigned 64 bits
     * @param shareSliceDigestHex digest of the counted shares
     */
    public record Header(
            String schema,
            FoundBlock block,
            U128 windowMultiplier,
            U128 requestedWindowWeight,
            U128 countedWindowWeight,
            long anchorShareSeq,
            long newestShareSeq,
            long oldestShareSeq,
            long includedShareCount,
            String shareSliceDigestHex) {}

    RewardManifest(
            Header header,
            List<CountedShare> shares,
            List<WeightedEntitlement> entitlements,
            @Nullable RewardWindow window) {
        this.header = header;
        this.shares = shares;
        this.entitlements = entitlements;
        this.window = window;
    }

    /**
     * Describes a window.
     *
     * @param window the window
     * @return the manifest
     */
    public static RewardManifest of(RewardWindow window) {
        return of(window, () -> {});
    }

    /**
     * Describes a window.
     *
     * @param window the window
     * @param checkpoint called every few hundred shares while the slice digest is computed; may throw to give up
     * @return the manifest
     */
    public static RewardManifest of(RewardWindow window, Runnable checkpoint) {
        Header header = new Header(
                SCHEMA,
                window.block(),
                U128.ofUnsigned(RewardWindow.MULTIPLIER),
                window.requestedWeight(),
                window.countedWeight(),
                window.newestShareSeq(),
                window.newestShareSeq(),
                window.oldestShareSeq(),
                window.shareCount(),
                window.sliceDigestHex(checkpoint));
        return new RewardManifest(header, window.countedShares(), window.entitlements(), window);
    }

    /**
     * Returns the members before the lists.
     *
     * @return the header
     */
    public Header header() {
        return header;
    }

    /**
     * Returns the counted shares.
     *
     * @return newest first
     */
    public List<CountedShare> shares() {
        return shares;
    }

    /**
     * Returns the counted work of each identity.
     *
     * @return ordered by recipient, order key, program
     */
    public List<WeightedEntitlement> entitlements() {
        return entitlements;
    }

    /**
     * Returns whether every member equals another manifest's.
     *
     * @param other the other manifest
     * @return whether they are the same document
     */
    public boolean sameAs(RewardManifest other) {
        return header.equals(other.header) && entitlements.equals(other.entitlements) && shares.equals(other.shares);
    }

    /**
     * Returns the SHA-256 of the canonical bytes.
     *
     * @return 32 bytes
     */
    public byte[] sha256() {
        return sha256(() -> {});
    }

    /**
     * Returns the SHA-256 of the canonical bytes.
     *
     * @param checkpoint called every few hundred shares; may throw to give up
     * @return 32 bytes
     */
    public byte[] sha256(Runnable checkpoint) {
        return shares.size() >= RewardWindow.LARGE
                ? CanonicalWriter.sha256OfLarge(out -> write(out, checkpoint))
                : CanonicalWriter.sha256Of(out -> write(out, checkpoint));
    }

    /**
     * Writes the manifest as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        write(out, () -> {});
    }

    private void write(CanonicalWriter out, Runnable checkpoint) {
        out.beginObject();
        RewardManifestMembers.writeHeader(out, header);
        out.name(RewardManifestMembers.SHARES);
        out.beginArray();
        if (window != null) {
            window.writeCountedShares(out, checkpoint);
        } else {
            shares.forEach(share -> share.write(out));
        }
        out.endArray();
        out.members(RewardManifestMembers.ENTITLEMENTS, entitlements, each -> each.write(out));
        out.endObject();
    }

    /**
     * Reads a manifest.
     *
     * @param in the reader
     * @param identities gives shares of one miner the same identity object
     * @return the manifest
     */
    public static RewardManifest read(ExactReader in, IdentityPool identities) {
        return RewardManifestMembers.read(in, identities);
    }
}
