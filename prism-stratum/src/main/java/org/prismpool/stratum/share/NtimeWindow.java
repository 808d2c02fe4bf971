package org.prismpool.stratum.share;

/** The range of header times that are credited (spec 02 §7.2). Pure. */
public final class NtimeWindow {

    private NtimeWindow() {}

    /** Where a time lies. */
    public enum Position {
        /** Before the template's earliest time: no block could be valid. */
        TOO_EARLY,
        /** Inside. */
        INSIDE,
        /** Beyond the forward limit. */
        TOO_LATE
    }

    /**
     * Places a time.
     *
     * @param ntime submitted time, 0 to 2^32-1
     * @param minTime earliest time of the template
     * @param curTime time of the template
     * @param nowSeconds wall clock in seconds since 1970
     * @param forwardSeconds configured forward limit; 0 lets every time pass
     * @param templateLimitSeconds forward limit of the template
     * @return where the time lies
     */
    public static Position place(
            long ntime, long minTime, long curTime, long nowSeconds, int forwardSeconds, int templateLimitSeconds) {
        if (forwardSeconds == 0) {
            return Position.INSIDE;
        }
        if (ntime < minTime) {
            return Position.TOO_EARLY;
        }
        long latest = Math.max(curTime, nowSeconds) + Math.max(forwardSeconds, templateLimitSeconds);
        return ntime <= latest ? Position.INSIDE : Position.TOO_LATE;
    }
}
