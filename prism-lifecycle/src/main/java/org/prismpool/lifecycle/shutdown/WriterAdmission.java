package org.prismpool.lifecycle.shutdown;

import java.util.Set;

/**
 * Gate that every piece of work passes before it may change durable state, so that a stop can wait for it.
 *
 * <p>Thread-safe; no method blocks longer than a few field updates of another thread. Source: spec 08 section 3.3.
 */
public interface WriterAdmission {

    /**
     * Admits work on this thread. While the ticket is open, further entries on this thread inherit its admission.
     *
     * @param component kind of work
     * @return ticket to close on this thread when the work is done
     * @throws ShutdownInProgressException if a stop was asked for and this thread holds no open ticket, or if the lease
     *     release has started
     */
    WriterTicket enter(WriterComponent component);

    /**
     * Admits work on this thread, with a sign of life while the gate itself is contended.
     *
     * @param component kind of work
     * @param onWaitSlice runs at least every 0.25 s while waiting for the gate, with no lock held
     * @return ticket to close on this thread when the work is done
     * @throws ShutdownInProgressException as for {@link #enter(WriterComponent)}
     */
    WriterTicket enter(WriterComponent component, Runnable onWaitSlice);

    /**
     * Admits work that may end on another thread. Inherits from a ticket entered on this thread, but does not hand on
     * its own admission to later entries.
     *
     * @param component kind of work
     * @return ticket to close on any thread
     * @throws ShutdownInProgressException as for {@link #enter(WriterComponent)}
     */
    WriterTicket reserve(WriterComponent component);

    /**
     * Admits work as a part of work that is admitted already, whatever thread either runs on.
     *
     * <p>For event loops, where one thread interleaves the work of many sessions and so cannot stand for one of them.
     *
     * @param component kind of work
     * @param parent ticket that the new one inherits from while it is open
     * @return ticket to close on any thread
     * @throws ShutdownInProgressException if a stop was asked for and the parent is closed, or if the lease release has
     *     started
     */
    WriterTicket reserve(WriterComponent component, WriterTicket parent);

    /**
     * Tells whether new work is refused.
     *
     * @return true once a stop was asked for
     */
    boolean closed();

    /**
     * Tells whether work of any of these kinds is open.
     *
     * @param components kinds to look at
     * @return true if one ticket of them is open
     */
    boolean hasActive(Set<WriterComponent> components);
}
