package org.prismpool.lifecycle.shutdown;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** Counts of open tickets by component and of entered tickets by thread. Confined to the controller's lock. */
final class OpenWriters {

    private final NavigableMap<WriterComponent, Integer> open = new TreeMap<>();
    private final Map<Thread, Integer> entered = new HashMap<>();
    private int total;

    void add(WriterComponent component) {
        open.merge(component, 1, Integer::sum);
        total++;
    }

    void remove(WriterComponent component) {
        open.computeIfPresent(component, (c, count) -> count == 1 ? null : count - 1);
        total--;
    }

    void addHolder(Thread thread) {
        entered.merge(thread, 1, Integer::sum);
    }

    void removeHolder(Thread thread) {
        entered.computeIfPresent(thread, (t, count) -> count == 1 ? null : count - 1);
    }

    boolean holds(Thread thread) {
        return entered.containsKey(thread);
    }

    boolean none() {
        return total == 0;
    }

    boolean anyOf(Set<WriterComponent> components) {
        return components.stream().anyMatch(open::containsKey);
    }

    NavigableMap<WriterComponent, Integer> counts() {
        return new TreeMap<>(open);
    }
}
