package org.prismpool.app.composition;

import java.util.Optional;
import org.prismpool.app.composition.backend.Backends;

/**
 * What a host program decides besides the environment.
 *
 * @param stratumPort port of the default Stratum listener instead of the configured one; 0 takes a free port
 * @param httpPort port of the private HTTP listener instead of the configured one; 0 takes a free port
 * @param configWarnings warnings that the configuration was accepted with, for metrics
 * @param backends what is put around the configured backends
 */
public record CoordinatorOptions(
        Optional<Integer> stratumPort, Optional<Integer> httpPort, int configWarnings, Backends backends) {

    /**
     * Makes options that use the backends as they are configured.
     *
     * @param stratumPort port of the default Stratum listener instead of the configured one; 0 takes a free port
     * @param httpPort port of the private HTTP listener instead of the configured one; 0 takes a free port
     * @param configWarnings warnings that the configuration was accepted with, for metrics
     */
    public CoordinatorOptions(Optional<Integer> stratumPort, Optional<Integer> httpPort, int configWarnings) {
        this(stratumPort, httpPort, configWarnings, Backends.AS_CONFIGURED);
    }

    /**
     * Returns options that leave everything to the environment.
     *
     * @param configWarnings warnings that the configuration was accepted with
     * @return the options of {@code prism run}
     */
    public static CoordinatorOptions byEnvironment(int configWarnings) {
        return new CoordinatorOptions(Optional.empty(), Optional.empty(), configWarnings);
    }
}
