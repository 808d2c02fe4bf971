package org.prismpool.refresh;

import java.util.Objects;

/**
 * Work that a builder returned. Immutable.
 *
 * @param identity what it was made from; also its build key, compared by identity
 * @param template the template object that it carries, compared by identity with the snapshot's
 * @param work the opaque bundle
 * @param <T> the template's type
 * @param <W> the bundle's type
 */
public record BuiltWork<T, W>(WorkIdentity identity, T template, W work) {

    /** Checks the components. */
    public BuiltWork {
        Objects.requireNonNull(identity, "identity");
        Objects.requireNonNull(template, "template");
        Objects.requireNonNull(work, "work");
    }

    /**
     * Tells whether this work carries exactly a snapshot's template.
     *
     * @param snapshot the template observation of the pass
     * @return true iff the template object, parent, fingerprint and generation are the snapshot's
     */
    public boolean carries(TemplateSnapshot<T> snapshot) {
        return template == snapshot.template() && identity.isBuiltFrom(snapshot);
    }
}
