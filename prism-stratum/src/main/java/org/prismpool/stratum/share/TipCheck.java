package org.prismpool.stratum.share;

import java.util.Optional;
import org.prismpool.stratum.SharePolicy;
import org.prismpool.stratum.TipSnapshot;
import org.prismpool.templates.chain.Hash256;

/**
 * Classifies a job by the tip (spec 02 §7.3, §7.4): a pure function of facts read once for a submit.
 *
 * @param tips snapshot of the tip
 * @param live the node's tip if it was asked, else empty
 * @param tipParent parent of the published tip if it was looked up, else empty
 * @param delivered first work that the connection got for the newest tip it works on, or empty
 * @param nowNanos monotonic time of the submit
 */
public record TipCheck(
        TipSnapshot tips,
        Optional<Hash256> live,
        Optional<Hash256> tipParent,
        Optional<TipWork> delivered,
        long nowNanos) {

    /**
     * Says when a connection got the first job of a tip.
     *
     * @param tip the tip
     * @param atNanos monotonic time at which that job was written
     */
    public record TipWork(Hash256 tip, long atNanos) {}

    /**
     * Classifies a job.
     *
     * @param parent parent of the job
     * @param crossConnection whether the job was issued to another connection
     * @param policy grace and ages
     * @return the verdict
     */
    public TipVerdict classify(Hash256 parent, boolean crossConnection, SharePolicy policy) {
        boolean decides = tips.authoritative(nowNanos, policy.tipMaxAge(), policy.divergenceLease());
        Optional<Hash256> tip = decides ? tips.published() : live;
        if (tip.isEmpty()) {
            return TipVerdict.NEEDS_TIP;
        }
        if (parent.equals(tip.get())) {
            return TipVerdict.CURRENT;
        }
        if (crossConnection || !graceOpen(tip.get(), policy)) {
            return TipVerdict.STALE;
        }
        if (tipParent.isEmpty()) {
            return TipVerdict.NEEDS_PARENT;
        }
        return tipParent.get().equals(parent) ? TipVerdict.GRACE : TipVerdict.STALE;
    }

    /**
     * Returns this check with the node's tip.
     *
     * @param tip the node's tip
     * @return the completed check
     */
    public TipCheck withLive(Hash256 tip) {
        return new TipCheck(tips, Optional.of(tip), tipParent, delivered, nowNanos);
    }

    /**
     * Returns this check with the parent of the published tip.
     *
     * @param parent the parent
     * @return the completed check
     */
    public TipCheck withTipParent(Hash256 parent) {
        return new TipCheck(tips, live, Optional.of(parent), delivered, nowNanos);
    }

    private boolean graceOpen(Hash256 tip, SharePolicy policy) {
        if (policy.staleGrace().isZero() || !tips.changed() || !tips.published().equals(Optional.of(tip))) {
            return false;
        }
        Optional<TipWork> work = delivered.filter(known -> known.tip().equals(tip));
        return work.isEmpty()
                || nowNanos - work.get().atNanos() <= policy.staleGrace().toNanos();
    }

    /**
     * Tells whether a block on a parent may still be offered (spec 03 §6.2): only work on the detected, the published or
     * the node's own tip.
     *
     * @param parent parent of the job
     * @return false if the parent is dead
     */
    public boolean offerable(Hash256 parent) {
        Optional<Hash256> wanted = Optional.of(parent);
        return tips.detected().equals(wanted) || tips.published().equals(wanted) || live.equals(wanted);
    }
}
