package org.prismpool.bundle;

import java.util.Objects;
import java.util.Optional;
import org.prismpool.templates.TemplateObservation;

/**
 * A wish for work on one exact template. The mode is not part of it: the service takes it from the readiness of the
 * pool at the moment of the build.
 *
 * @param template template to build on; the bundle carries exactly this object
 * @param worker identity that collection work would pay; without one collection work fails
 * @param source who asks
 * @param critical whether a publication waits for it
 * @param idleRetarget whether it only retargets an idle connection; refused while a detected tip is unpublished
 * @param requestedAtNanos monotonic time at which the caller's attempt began
 */
public record BundleRequest(
        TemplateObservation template,
        Optional<CollectionIdentity> worker,
        BuildSource source,
        boolean critical,
        boolean idleRetarget,
        long requestedAtNanos) {

    /** Checks the components. */
    public BundleRequest {
        Objects.requireNonNull(template, "template");
        Objects.requireNonNull(worker, "worker");
        Objects.requireNonNull(source, "source");
    }

    /**
     * Names the build that the refresh owner publishes with.
     *
     * @param template template to publish
     * @param requestedAtNanos monotonic time at which the attempt began
     * @return publication-critical request for ready work
     */
    public static BundleRequest publication(TemplateObservation template, long requestedAtNanos) {
        return new BundleRequest(template, Optional.empty(), BuildSource.TIP_REFRESH, true, false, requestedAtNanos);
    }

    /**
     * Names the build for the first job of a connection.
     *
     * @param template template to build on
     * @param worker identity of the connection's worker
     * @param requestedAtNanos monotonic time of the authorization
     * @return routine request
     */
    public static BundleRequest initial(
            TemplateObservation template, CollectionIdentity worker, long requestedAtNanos) {
        return new BundleRequest(template, Optional.of(worker), BuildSource.INITIAL, false, false, requestedAtNanos);
    }

    /**
     * Names a build for an established connection.
     *
     * @param template template to build on
     * @param worker identity of the connection's worker
     * @param idleRetarget whether it only retargets an idle connection
     * @param requestedAtNanos monotonic time of the wish
     * @return routine request
     */
    public static BundleRequest routine(
            TemplateObservation template, CollectionIdentity worker, boolean idleRetarget, long requestedAtNanos) {
        return new BundleRequest(
                template, Optional.of(worker), BuildSource.ROUTINE, false, idleRetarget, requestedAtNanos);
    }
}
