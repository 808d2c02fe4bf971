package org.prismpool.lifecycle.metrics;

/** When the series of a family are rendered. */
public enum FamilyPresence {
    /** Always, from zero. */
    ALWAYS,
    /** Each series from its first value on; the family is absent before that. */
    FIRST_VALUE,
    /** Only series that are not zero. */
    NON_ZERO
}
