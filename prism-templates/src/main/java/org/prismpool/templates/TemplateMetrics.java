package org.prismpool.templates;

/** Port for counting what the template repository does. Called on the thread of the caller; must not block. */
public interface TemplateMetrics {

    /** Counts nothing. */
    TemplateMetrics NONE = new TemplateMetrics() {};

    /**
     * A template was stored.
     *
     * @param nanos from the reservation of its generation to the store
     * @param transactions number of its transactions
     * @param reused true if its transactions were known from an observation with the same fingerprint
     */
    default void templateStored(long nanos, int transactions, boolean reused) {}

    /** A cached template was used in place of a fetch. */
    default void templateReused() {}

    /** A template was dropped because the tip had moved. */
    default void templateSuperseded() {}

    /** A template was dropped because a later fetch had been stored. */
    default void templateOvertaken() {}

    /** A template was refused. */
    default void templateBlocked() {}
}
