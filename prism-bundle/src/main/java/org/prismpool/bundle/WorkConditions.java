package org.prismpool.bundle;

import org.prismpool.templates.TemplateObservation;

/**
 * Port to the owners of readiness and of the published tip. Called on any thread, also under no lock of this module;
 * must answer from memory.
 */
public interface WorkConditions {

    /**
     * Tells whether the pool has enough miners for ready work.
     *
     * @return the readiness latch
     */
    boolean poolReady();

    /**
     * Tells whether a detected tip is not published yet.
     *
     * @return true between detection and publication
     */
    boolean tipUnpublished();

    /**
     * Tells whether work may still be built on a template: it is the newest one of the detected or the published tip.
     *
     * @param template template of a request
     * @return false once it is obsolete
     */
    boolean buildable(TemplateObservation template);

    /**
     * Tells whether finished work on a template may be handed to others: the current template has the same parent and
     * fingerprint, or the template is the one of the published snapshot.
     *
     * @param template template that the work was built on
     * @param sameGeneration whether the generation has to agree too, as for collection work
     * @return true if it may be cached
     */
    boolean storable(TemplateObservation template, boolean sameGeneration);
}
