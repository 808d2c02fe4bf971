package org.prismpool.delivery.internal;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map by connection id. It is kept in shards, so that a change copies one of them: with a herd of a thousand
 * waiting connections, copying all of them for each step of each was what most of the event loops' time went into.
 */
final class ByConnection<V> extends AbstractMap<Long, V> {

    private static final int SHARDS = 32; // connection ids are consecutive, so their low bits spread evenly

    private final List<Map<Long, V>> shards; // never changed once it is in here
    private final int size;

    private ByConnection(List<Map<Long, V>> shards, int size) {
        this.shards = shards;
        this.size = size;
    }

    static <V> ByConnection<V> empty() {
        return new ByConnection<>(Collections.nCopies(SHARDS, Map.of()), 0);
    }

    ByConnection<V> with(long connection, V value) {
        Map<Long, V> changed = new LinkedHashMap<>(shard(connection));
        boolean added = changed.put(connection, value) == null;
        return replaced(connection, changed, added ? size + 1 : size);
    }

    ByConnection<V> without(long connection) {
        if (!shard(connection).containsKey(connection)) {
            return this;
        }
        Map<Long, V> changed = new LinkedHashMap<>(shard(connection));
        changed.remove(connection);
        return replaced(connection, changed, size - 1);
    }

    private ByConnection<V> replaced(long connection, Map<Long, V> shard, int newSize) {
        List<Map<Long, V>> next = new ArrayList<>(shards);
        next.set(index(connection), shard);
        return new ByConnection<>(next, newSize);
    }

    private Map<Long, V> shard(long connection) {
        return shards.get(index(connection));
    }

    private static int index(long connection) {
        return (int) (connection & (SHARDS - 1));
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public @Nullable V get(Object key) {
        return key instanceof Long connection ? shard(connection).get(connection) : null;
    }

    @Override
    public boolean containsKey(Object key) {
        return key instanceof Long connection && shard(connection).containsKey(connection);
    }

    @Override
    public Set<Map.Entry<Long, V>> entrySet() {
        Map<Long, V> all = new LinkedHashMap<>();
        shards.forEach(all::putAll);
        return Collections.unmodifiableMap(all).entrySet();
    }
}
