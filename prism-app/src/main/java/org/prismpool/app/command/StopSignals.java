package org.prismpool.app.command;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Handlers of SIGTERM and SIGINT that only pass the signal's number on, so that the process can end with status 0.
 *
 * <p>A shutdown hook would not do: it cannot choose the status, and the writer barrier must not run inside one (spec 08 §3.5).
 */
final class StopSignals implements AutoCloseable {

    private record Replaced(Signal signal, SignalHandler previous) {}

    private final List<Replaced> replaced = new ArrayList<>();

    private StopSignals() {}

    static StopSignals install(IntConsumer onSignal) {
        StopSignals signals = new StopSignals();
        for (String name : List.of("TERM", "INT")) {
            Signal signal = new Signal(name);
            SignalHandler previous = Signal.handle(signal, caught -> onSignal.accept(caught.getNumber()));
            signals.replaced.add(new Replaced(signal, previous));
        }
        return signals;
    }

    @Override
    public void close() {
        replaced.forEach(one -> Signal.handle(one.signal(), one.previous()));
    }
}
