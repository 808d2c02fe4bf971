package org.prismpool.config.variable;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The variables of the separate public process: node, HTTP, public API and log, and the few others that the public API shows
 * or reads through. Values and meanings are those of the coordinator, except where this process cannot do without one.
 * Source: spec 01 §1.5, spec 08 §7.9.
 */
public final class PublicRoleVariables {

    /** Its database cannot be guessed, and the address of a listener that it has not must not be shown. */
    private static final Map<String, Variable<?>> CHANGED = Stream.of(
                    PublicApiVariables.PUBLIC_DATABASE_URL.asRequired(),
                    PublicApiVariables.PUBLIC_STRATUM_URL.asRequired(),
                    PublicApiVariables.PUBLIC_API_BIND.withDefault("127.0.0.1"))
            .collect(Collectors.toUnmodifiableMap(Variable::name, variable -> variable));

    private PublicRoleVariables() {}

    /**
     * Returns the groups in documented order.
     *
     * @return one group per area
     */
    public static List<VariableRegistry.Group> groups() {
        return List.of(
                NodeVariables.group(),
                shown(),
                reads(),
                HttpVariables.group(),
                new VariableRegistry.Group("Log", List.of(LifecycleVariables.HOT_PATH_LOG)),
                publicApi());
    }

    /** Settings of the coordinator that the public API shows. */
    private static VariableRegistry.Group shown() {
        return new VariableRegistry.Group(
                "Shown settings of the coordinator",
                List.of(
                        StratumVariables.STRATUM_BIND,
                        StratumVariables.STRATUM_PORT,
                        DifficultyVariables.STRATUM_HIGHDIFF_PORT,
                        PayoutVariables.PAYOUT_MIN_OUTPUT_BITS,
                        PayoutVariables.PAYOUT_MIN_OUTPUT_SATS));
    }

    private static VariableRegistry.Group reads() {
        return new VariableRegistry.Group(
                "Reads of the database",
                List.of(
                        LedgerVariables.POSTGRES_READ_CONCURRENCY,
                        LedgerVariables.POSTGRES_OPERATION_TIMEOUT_SECONDS,
                        LedgerVariables.PUBLIC_REWARD_WINDOW_CACHE_SECONDS,
                        LedgerVariables.PGPASSWORD));
    }

    private static VariableRegistry.Group publicApi() {
        VariableRegistry.Group group = PublicApiVariables.group();
        return new VariableRegistry.Group(
                group.title(),
                group.variables().stream()
                        .<Variable<?>>map(variable -> CHANGED.getOrDefault(variable.name(), variable))
                        .toList());
    }
}
