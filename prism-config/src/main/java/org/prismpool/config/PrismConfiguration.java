package org.prismpool.config;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.prismpool.config.rule.PrismRules;
import org.prismpool.config.variable.PrismVariables;
import org.prismpool.config.variable.PublicRoleVariables;
import org.prismpool.config.variable.VariableRegistry;

/** The configuration of the PRISM processes: their variables and rules, ready to load. Stateless and thread-safe. */
public final class PrismConfiguration {

    private static final List<String> PREFIXES = List.of("PRISM_", "QBIT_");
    /** Read by packaging and checks only; never worth an "unknown" warning. Source: spec 01 §1.3. */
    private static final Set<String> TOOL_NAMES = Set.of(
            "QBIT_CHAIN_FLAG",
            "QBIT_RPC_PORT_HOST",
            "PRISM_STRATUM_PORT_HOST",
            "PRISM_STRATUM_HIGHDIFF_PORT_HOST",
            "QBIT_MAINNET_LAUNCH_READINESS_CHECKS_ENABLED",
            "QBIT_MAINNET_PRELAUNCH_MAX_TIP_AGE_SECONDS",
            "QBIT_REQUIRE_RELEASE_PROVENANCE",
            "QBIT_GIT_COMMIT",
            "PRISM_POSTGRES_USER",
            "PRISM_POSTGRES_DB",
            "PRISM_POSTGRES_IMAGE",
            "PRISM_COORDINATOR_IMAGE",
            "PRISM_POSTGRES_DATA_SOURCE",
            "PRISM_POSTGRES_WAL_SOURCE",
            "PRISM_COORDINATOR_DATA_SOURCE",
            "PRISM_COORDINATOR_NOFILE_SOFT",
            "PRISM_COORDINATOR_NOFILE_HARD");

    private PrismConfiguration() {}

    /**
     * Returns the loader of the coordinator's configuration.
     *
     * @return a new loader
     */
    public static ConfigLoader loader() {
        return loader(ProcessRole.ALL);
    }

    /**
     * Returns the loader of one role's configuration.
     *
     * @param role what the process serves
     * @return a new loader
     */
    public static ConfigLoader loader(ProcessRole role) {
        return new ConfigLoader(registry(role), PrismRules.of(role));
    }

    /**
     * Returns the coordinator's variables.
     *
     * @return a new registry
     */
    public static VariableRegistry registry() {
        return new VariableRegistry(PrismVariables.groups(), PREFIXES, TOOL_NAMES);
    }

    /**
     * Returns the variables that one role uses. Names of the other roles are known and nothing is said about them, so that
     * several processes can share an environment file.
     *
     * @param role what the process serves
     * @return a new registry
     */
    public static VariableRegistry registry(ProcessRole role) {
        if (role.coordinates()) {
            return registry();
        }
        Set<String> known = new HashSet<>(TOOL_NAMES);
        registry().variables().forEach(variable -> known.add(variable.name()));
        return new VariableRegistry(PublicRoleVariables.groups(), PREFIXES, known);
    }
}
