package org.prismpool.app.composition.health;

import org.prismpool.lifecycle.service.Heartbeats;
import org.prismpool.refresh.RefreshHeartbeat;

/** Heartbeats of the refresher's loops. */
public record RefreshBeats(Heartbeats heartbeats) implements RefreshHeartbeat {

    @Override
    public void beat(String name) {
        heartbeats.beat(name);
    }

    @Override
    public void remove(String name) {
        heartbeats.remove(name);
    }
}
