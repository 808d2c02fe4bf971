package org.prismpool.lifecycle.event;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes events as the log lines of the contract (spec 08 section 3.4). */
final class LoggedEvents implements LifecycleEvents {

    private static final Logger LOG = LoggerFactory.getLogger(LifecycleEvents.class);

    private final Runnable flush;

    LoggedEvents(Runnable flush) {
        this.flush = flush;
    }

    @Override
    public void tell(LifecycleEvent event) {
        LOG.info("prism coordinator: {}", event); // an encoder may want the event itself, others its text
    }

    @Override
    public void flush() {
        flush.run();
    }
}
