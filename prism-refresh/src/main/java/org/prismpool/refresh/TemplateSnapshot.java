package org.prismpool.refresh;

import java.util.Objects;
import org.prismpool.templates.chain.Hash256;

/**
 * A coherent template observation: the node's best hash and the template's parent were one hash when it was made.
 *
 * <p>Immutable. Identity matters: a pass publishes exactly the object that it observed.
 *
 * @param parent hash that the template extends, equal to the node's best hash
 * @param fingerprint identity of the template without its clock fields (spec 03 §3.3)
 * @param generation number reserved before the template request started; zero or more
 * @param template the opaque template, immutable
 * @param <T> the template's type
 */
public record TemplateSnapshot<T>(Hash256 parent, String fingerprint, long generation, T template) {

    /** Checks the components. */
    public TemplateSnapshot {
        Objects.requireNonNull(parent, "parent");
        Objects.requireNonNull(fingerprint, "fingerprint");
        Objects.requireNonNull(template, "template");
        if (generation < 0) {
            throw new IllegalArgumentException("template generation " + generation + " is negative");
        }
    }

    /**
     * Tells whether miners would work on something else: another parent or another fingerprint.
     *
     * @param other the snapshot to compare with
     * @return false for a clock-only change, however much the generation moved
     */
    public boolean differsInWork(TemplateSnapshot<?> other) {
        return !parent.equals(other.parent) || !fingerprint.equals(other.fingerprint);
    }
}
