package org.prismpool.lifecycle.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.prismpool.lifecycle.event.LifecycleEvent;
import org.prismpool.lifecycle.event.LifecycleEvents;

/** Keeps what it is told. Thread-safe. */
public final class RecordingEvents implements LifecycleEvents {

    private final List<LifecycleEvent> told = new CopyOnWriteArrayList<>();

    @Override
    public void tell(LifecycleEvent event) {
        told.add(event);
    }

    public List<LifecycleEvent> told() {
        return told;
    }

    public List<String> names() {
        return told.stream().map(LifecycleEvent::name).toList();
    }

    public LifecycleEvent only(String name) {
        List<LifecycleEvent> matching =
                told.stream().filter(event -> event.name().equals(name)).toList();
        if (matching.size() != 1) {
            throw new AssertionError(matching.size() + " events " + name + " in " + names());
        }
        return matching.get(0);
    }
}
