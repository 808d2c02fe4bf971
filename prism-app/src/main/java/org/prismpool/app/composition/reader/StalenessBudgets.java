package org.prismpool.app.composition.reader;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.config.variable.PublicApiVariables;
import org.prismpool.config.variable.Variable;

/**
 * How old an answer of a public path may be: three times what its caches may add up to, and never less than 15 s. Immutable.
 * Source: spec 08 §7.5, §7.9.
 */
public final class StalenessBudgets {

    private static final Duration LEAST = Duration.ofSeconds(15);
    private static final int FACTOR = 3;
    private static final List<String> PREFIX = List.of("public", "v1");

    private final Duration rows;
    private final Duration aggregates;
    private final Duration miner;
    private final Duration artifacts;
    private final Duration configuration;

    /**
     * How old an answer of one path may be.
     *
     * @param limit oldest answer that may be given
     * @param ofDatabase whether the database is asked for it
     */
    public record Budget(Duration limit, boolean ofDatabase) {}

    /**
     * Reads the times of the caches.
     *
     * @param e values without errors
     */
    public StalenessBudgets(Environment e) {
        Duration row = ttl(e, PublicApiVariables.PUBLIC_CACHE_TTL_SECONDS);
        this.rows = budget(row);
        this.aggregates = budget(ttl(e, PublicApiVariables.PUBLIC_AGGREGATE_CACHE_TTL_SECONDS));
        this.miner = budget(row.plus(e.get(LedgerVariables.PUBLIC_REWARD_WINDOW_CACHE_SECONDS)));
        this.artifacts = budget(ttl(e, PublicApiVariables.PUBLIC_ARTIFACT_CACHE_TTL_SECONDS));
        this.configuration = budget(ttl(e, PublicApiVariables.PUBLIC_CONFIG_CACHE_TTL_SECONDS));
    }

    private static Duration ttl(Environment e, Variable<Integer> seconds) {
        return e.get(PublicApiVariables.PUBLIC_CACHE_ENABLED) ? Duration.ofSeconds(e.get(seconds)) : Duration.ZERO;
    }

    private static Duration budget(Duration caches) {
        Duration budget = caches.multipliedBy(FACTOR);
        return budget.compareTo(LEAST) < 0 ? LEAST : budget;
    }

    /**
     * Returns the budget of a path.
     *
     * @param segments path segments, those of the prefix included
     * @return the budget; empty for a path that is none of the public API
     */
    public Optional<Budget> of(List<String> segments) {
        if (segments.size() < 3 || !segments.subList(0, 2).equals(PREFIX)) {
            return Optional.empty();
        }
        return Optional.of(
                switch (segments.get(2)) {
                    case "pool-summary", "hashrate-series" -> new Budget(aggregates, true);
                    case "mining-configuration" -> new Budget(configuration, false);
                    case "artifacts" -> new Budget(artifacts, true);
                    case "miners" -> new Budget(ofMiner(segments), true);
                    default -> new Budget(rows, true);
                });
    }

    private Duration ofMiner(List<String> segments) {
        if (segments.size() == 4) {
            return miner;
        }
        return segments.get(segments.size() - 1).equals("workers") ? aggregates : rows;
    }
}
