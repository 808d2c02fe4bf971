package org.prismpool.refresh.internal;

import java.util.OptionalLong;
import org.prismpool.refresh.RefreshConfig;
import org.prismpool.refresh.TipStanding;
import org.prismpool.refresh.WorkAuthority;

/** Whether the published tip decides without asking the node, as a pure function (spec 07 §2.10). */
final class Standing {

    private Standing() {}

    static TipStanding of(WorkAuthority<?, ?> authority, RefreshConfig.Pacing pacing, long nowNanos) {
        return new TipStanding(
                authority.published(),
                authoritative(authority, pacing, nowNanos),
                authority.newestKnownTip(),
                authority.epochSequence());
    }

    private static boolean authoritative(WorkAuthority<?, ?> authority, RefreshConfig.Pacing pacing, long nowNanos) {
        if (pacing.submitTipMaxAge().isZero() || authority.published().isEmpty()) {
            return false;
        }
        long age = nowNanos - authority.published().get().observedNanos();
        return age <= pacing.submitTipMaxAge().toNanos() || leased(authority, pacing, nowNanos);
    }

    /** The divergence lease: from the first departure on, never renewed by later ones. */
    private static boolean leased(WorkAuthority<?, ?> authority, RefreshConfig.Pacing pacing, long nowNanos) {
        OptionalLong since = authority.divergenceNanos();
        return authority.diverged()
                && since.isPresent()
                && !pacing.failureExit().isZero()
                && nowNanos - since.getAsLong() <= pacing.failureExit().toNanos();
    }
}
