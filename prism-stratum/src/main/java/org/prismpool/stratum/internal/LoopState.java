package org.prismpool.stratum.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.prismpool.stratum.codec.RequestParser;

/** The connections of one event loop, its parser and its scratch buffer. Confined to that loop. */
final class LoopState {

    final Set<MinerChannel> channels = new HashSet<>();
    final RequestParser parser = new RequestParser();
    private byte[] scratch = new byte[4096];

    /** Returns a buffer for one line; its content is gone with the next call. */
    byte[] scratch(int size) {
        if (scratch.length < size) {
            scratch = new byte[size];
        }
        return scratch;
    }

    /** Returns the connections as a list that stays the same while they are closed. */
    List<MinerChannel> snapshot() {
        return new ArrayList<>(channels);
    }
}
