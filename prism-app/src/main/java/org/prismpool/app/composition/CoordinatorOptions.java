package org.prismpool.app.composition;

import java.util.Optional;

/**
 * What a host program decides besides the environment.
 *
 * @param stratumPort port of the default Stratum listener instead of the configured one; 0 takes a free port
 * @param httpPort port of the private HTTP listener instead of the configured one; 0 takes a free port
 */
public record CoordinatorOptions(Optional<Integer> stratumPort, Optional<Integer> httpPort) {

    /**
     * Returns options that leave everything to the environment.
     *
     * @return the options of {@code prism run}
     */
    public static CoordinatorOptions byEnvironment() {
        return new CoordinatorOptions(Optional.empty(), Optional.empty());
    }
}
