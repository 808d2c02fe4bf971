package org.prismpool.app.composition.health;

import org.prismpool.bundle.BuildWatch;
import org.prismpool.lifecycle.health.ProgressHealth;

/** Shows running builds to progress health, which judges the oldest of them. Stateless. */
public final class BundleHealth {

    private BundleHealth() {}

    public static BuildWatch of(ProgressHealth progress) {
        return () -> {
            ProgressHealth.BuildToken build = progress.startBuild();
            return build::close;
        };
    }
}
