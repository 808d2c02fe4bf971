package org.prismpool.templates.rpc;

import java.util.Optional;
import org.prismpool.lifecycle.time.CancelSignal;

/** Raised when one of two signals is; registers at both only as long as a call lasts. */
record EitherSignal(CancelSignal first, CancelSignal second) implements CancelSignal {

    @Override
    public Optional<String> reason() {
        return first.reason().or(second::reason);
    }

    @Override
    public Registration onCancel(Runnable callback) {
        Registration one = first.onCancel(callback);
        Registration other = second.onCancel(callback);
        return () -> {
            one.close();
            other.close();
        };
    }
}
