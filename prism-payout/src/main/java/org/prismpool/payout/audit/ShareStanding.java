package org.prismpool.payout.audit;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.prismpool.payout.json.Utf8Order;
import org.prismpool.payout.window.CountedShare;
import org.prismpool.payout.window.WeightedEntitlement;
import org.prismpool.payout.window.WindowShare;

/**
 * How the shares of one payout program stand in a block, in numbers and in words.
 *
 * @param work counted work, all names of the program together
 * @param counted number of counted shares
 * @param partial the one that counts only in part, if it is this program's
 * @param late listed shares issued or accepted after the anchor
 * @param older listed shares that are older than the window
 * @param names names under which the counted work was done, by code point
 */
record ShareStanding(
        BigInteger work, long counted, Optional<CountedShare> partial, long late, long older, Set<String> names) {

    static ShareStanding of(AuditBundle bundle, String program) {
        BigInteger work = BigInteger.ZERO;
        Set<String> names = new TreeSet<>(Utf8Order.COMPARATOR);
        for (WeightedEntitlement each : bundle.rewardManifest().entitlements()) {
            if (each.identity().programKey().equals(program)) {
                work = work.add(each.weight().toBigInteger());
                names.add(each.identity().recipientId());
            }
        }
        long counted = 0;
        Optional<CountedShare> partial = Optional.empty();
        for (CountedShare share : bundle.rewardManifest().shares()) {
            if (share.identity().programKey().equals(program)) {
                counted++;
                if (!share.countedDifficulty().equals(share.shareDifficulty())) {
                    partial = Optional.of(share);
                }
            }
        }
        long listed = 0;
        long late = 0;
        for (WindowShare share : bundle.shares()) {
            if (share.identity().programKey().equals(program)) {
                listed++;
                late += share.isEligibleAt(bundle.foundBlock().anchorJobIssuedAtMs()) ? 0 : 1;
            }
        }
        return new ShareStanding(work, counted, partial, late, Math.max(0, listed - late - counted), names);
    }

    /** Says which of its shares count and which do not, and why. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (counted > 0) {
            lines.add(
                    counted + (counted == 1 ? " share of this recipient counts." : " shares of this recipient count."));
        }
        partial.ifPresent(share -> lines.add("The oldest share of the window is its own, sequence "
                + Long.toUnsignedString(share.shareSeq()) + ": only " + share.countedDifficulty() + " of its "
                + share.shareDifficulty() + " counts, because the window is full with that."));
        if (late > 0) {
            lines.add(late + " listed " + shares(late) + " not count here: issued or accepted after the anchor, "
                    + (late == 1 ? "it belongs" : "they belong") + " to a later window.");
        }
        if (older > 0) {
            lines.add(older + " listed " + shares(older) + " not count: newer work fills the window already.");
        }
        if (names.size() > 1) {
            lines.add("Its work was done under " + names.size() + " names that share one payout program and are paid as"
                    + " one: " + String.join(", ", names) + ".");
        }
        return lines;
    }

    private static String shares(long count) {
        return count == 1 ? "share does" : "shares do";
    }
}
