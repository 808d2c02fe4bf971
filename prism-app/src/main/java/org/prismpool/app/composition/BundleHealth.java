package org.prismpool.app.composition;

import org.prismpool.bundle.BuildWatch;
import org.prismpool.lifecycle.health.ProgressHealth;

/** Shows running builds to progress health, which judges the oldest of them. Stateless. */
final class BundleHealth {

    private BundleHealth() {}

    static BuildWatch of(ProgressHealth progress) {
        return () -> {
            ProgressHealth.BuildToken build = progress.startBuild();
            return build::close;
        };
    }
}
