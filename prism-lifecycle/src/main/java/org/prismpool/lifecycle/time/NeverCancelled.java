package org.prismpool.lifecycle.time;

import java.util.Optional;

/** The signal nobody can raise. */
enum NeverCancelled implements CancelSignal {
    INSTANCE;

    @Override
    public Optional<String> reason() {
        return Optional.empty();
    }

    @Override
    public Registration onCancel(Runnable callback) {
        return () -> {};
    }
}
