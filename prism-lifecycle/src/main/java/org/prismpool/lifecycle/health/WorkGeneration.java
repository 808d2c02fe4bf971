package org.prismpool.lifecycle.health;

import java.util.Objects;

/**
 * Identity of one piece of work.
 *
 * @param templateGeneration rises with every observation of the node's template
 * @param templateFingerprint names the content of the template; equal content has an equal fingerprint
 * @param payoutGeneration rises with every change of the payout state
 */
public record WorkGeneration(long templateGeneration, String templateFingerprint, long payoutGeneration) {

    /** Work before the first observation. */
    public static final WorkGeneration NONE = new WorkGeneration(0, "", 0);

    /** Checks that there is a fingerprint. */
    public WorkGeneration {
        Objects.requireNonNull(templateFingerprint, "templateFingerprint");
    }

    /**
     * Tells whether both have the same content, however often it was observed.
     *
     * @param other other work
     * @return true if fingerprint and payout generation are equal
     */
    public boolean sameContent(WorkGeneration other) {
        return templateFingerprint.equals(other.templateFingerprint) && payoutGeneration == other.payoutGeneration;
    }
}
