package org.prismpool.lifecycle.shutdown;

/** Proof that one piece of writing work was admitted; the writer barrier waits until it is closed. Thread-safe. */
public interface WriterTicket extends AutoCloseable {

    /**
     * Returns what kind of work it covers.
     *
     * @return the component given at admission
     */
    WriterComponent component();

    /**
     * Tells whether the work is still covered.
     *
     * @return false once closed
     */
    boolean open();

    /** Ends the work and wakes the barrier; allowed on any thread, without effect when repeated. */
    @Override
    void close();
}
