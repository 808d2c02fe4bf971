package org.prismpool.payout.state;

import java.util.List;
import java.util.Objects;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.WindowShare;

/**
 * A reward window read once and reused for every template of its payout generation (spec 07 §1.2, §6.5). Immutable.
 *
 * @param generation 0 until installed, then 1 or more; one more per installed window with other content
 * @param payoutGeneration payout generation that its balances belong to
 * @param networkDifficulty scaled network difficulty that sized the window
 * @param shares whole shares, ascending by sequence, that cover twice the reward window
 * @param balances prior balances of the payout generation
 * @param anchorMs anchor that the shares were read at, milliseconds since the epoch
 * @param digest SHA-256, lower-case hex, of the shares (spec 04 §16)
 * @param appendEpoch append epoch at the moment the read began
 */
public record PreparedWindow(
        long generation,
        long payoutGeneration,
        U128 networkDifficulty,
        List<WindowShare> shares,
        BalanceArtifact balances,
        long anchorMs,
        String digest,
        long appendEpoch) {

    /** Checks the components; the share list must be immutable, it is too long to be copied for every window. */
    public PreparedWindow {
        Objects.requireNonNull(networkDifficulty, "networkDifficulty");
        Objects.requireNonNull(shares, "shares");
        Objects.requireNonNull(balances, "balances");
        Objects.requireNonNull(digest, "digest");
    }

    /**
     * Returns the same shares under another payout generation: balances move, the window does not.
     *
     * @param newPayoutGeneration generation that the balances belong to
     * @param newBalances its balances
     * @return the retagged window
     */
    public PreparedWindow retagged(long newPayoutGeneration, BalanceArtifact newBalances) {
        return new PreparedWindow(
                generation, newPayoutGeneration, networkDifficulty, shares, newBalances, anchorMs, digest, appendEpoch);
    }

    PreparedWindow withGeneration(long newGeneration) {
        return new PreparedWindow(
                newGeneration, payoutGeneration, networkDifficulty, shares, balances, anchorMs, digest, appendEpoch);
    }

    /**
     * Returns the age of the anchor.
     *
     * @param nowMs wall clock, milliseconds since the epoch
     * @return milliseconds, negative if the clock went back
     */
    public long anchorAgeMs(long nowMs) {
        return nowMs - anchorMs;
    }
}
