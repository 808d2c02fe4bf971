package org.prismpool.refresh.internal;

import org.prismpool.refresh.WaveOutcome;

/** What a pass has done so far, for the wave that runs it. Confined to the refresh owner's thread. */
final class PassState {

    private boolean published;
    private boolean retryWanted;
    private boolean ready;
    private int sent;

    void publishedNow() {
        published = true;
    }

    void retryWanted() {
        retryWanted = true;
    }

    void ready(boolean poolReady) {
        ready = poolReady;
    }

    void sent(int count) {
        sent += count;
    }

    /** Tells whether the pass passed its publication. */
    boolean published() {
        return published;
    }

    /** Tells whether a client was left out, so that the pending token must stay. */
    boolean wantsRetry() {
        return retryWanted;
    }

    /** Tells whether the pool handed out ready work when the pass looked. */
    boolean ready() {
        return ready;
    }

    int sent() {
        return sent;
    }

    WaveOutcome supersededOutcome() {
        return published ? WaveOutcome.FANOUT_SUPERSEDED : WaveOutcome.BUILD_SUPERSEDED;
    }
}
