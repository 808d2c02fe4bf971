package org.prismpool.app.composition;

import java.util.Optional;
import org.prismpool.app.composition.backend.Backends;

/**
 * What a host program decides besides the environment.
 *
 * @param stratumPort port of the default Stratum listener instead of the configured one; 0 takes a free port
 * @param httpPort port of the private HTTP listener instead of the configured one; 0 takes a free port
 * @param publicPort port of the public HTTP listener instead of the configured one, if an address is configured; 0 takes a free
 *     port
 * @param servesPublic whether the public API and the page of the pool are served at all
 * @param configWarnings warnings that the configuration was accepted with, for metrics
 * @param backends what is put around the configured backends
 */
public record CoordinatorOptions(
        Optional<Integer> stratumPort,
        Optional<Integer> httpPort,
        Optional<Integer> publicPort,
        boolean servesPublic,
        int configWarnings,
        Backends backends) {

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
     * Makes options that leave the port of the public listener to the environment.
     *
     * @param stratumPort port of the default Stratum listener instead of the configured one; 0 takes a free port
     * @param httpPort port of the private HTTP listener instead of the configured one; 0 takes a free port
     * @param configWarnings warnings that the configuration was accepted with, for metrics
     * @param backends what is put around the configured backends
     */
    public CoordinatorOptions(
            Optional<Integer> stratumPort, Optional<Integer> httpPort, int configWarnings, Backends backends) {
        this(stratumPort, httpPort, Optional.empty(), true, configWarnings, backends);
    }

    /**
     * Returns the same with another port of the public listener.
     *
     * @param port port instead of the configured one; 0 takes a free port
     * @return the changed copy
     */
    public CoordinatorOptions withPublicPort(int port) {
        return new CoordinatorOptions(stratumPort, httpPort, Optional.of(port), servesPublic, configWarnings, backends);
    }

    /**
     * Returns the same for a coordinator that leaves the public paths to another process, or serves them too.
     *
     * @param served whether they are served
     * @return the changed copy
     */
    public CoordinatorOptions withPublic(boolean served) {
        return new CoordinatorOptions(stratumPort, httpPort, publicPort, served, configWarnings, backends);
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
