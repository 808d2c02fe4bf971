package org.prismpool.app.publicapi.route;

import java.util.EnumMap;
import java.util.Map;
import org.prismpool.app.publicapi.cache.CacheClass;
import org.prismpool.app.publicapi.cache.CacheLimits;
import org.prismpool.app.publicapi.cache.CachePolicy;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.PublicApiVariables;
import org.prismpool.config.variable.Variable;

/**
 * Cache and headers of the public API.
 *
 * @param policies policy of every cache class
 * @param limits bounds of the cache
 * @param debugHeaders whether answers tell where they came from
 */
public record PublicApiSettings(Map<CacheClass, CachePolicy> policies, CacheLimits limits, boolean debugHeaders) {

    /** Checks that no class is missing. */
    public PublicApiSettings {
        policies = Map.copyOf(policies);
        if (policies.size() != CacheClass.values().length) {
            throw new IllegalArgumentException("every cache class needs a policy");
        }
    }

    /**
     * Reads the settings.
     *
     * @param e values without errors
     * @return the settings
     */
    public static PublicApiSettings of(Environment e) {
        Map<CacheClass, CachePolicy> policies = new EnumMap<>(CacheClass.class);
        policies.put(
                CacheClass.ORDINARY,
                policy(
                        e,
                        PublicApiVariables.PUBLIC_CACHE_TTL_SECONDS,
                        PublicApiVariables.PUBLIC_CACHE_STALE_WHILE_REVALIDATE_SECONDS,
                        false));
        policies.put(
                CacheClass.AGGREGATE,
                policy(
                        e,
                        PublicApiVariables.PUBLIC_AGGREGATE_CACHE_TTL_SECONDS,
                        PublicApiVariables.PUBLIC_AGGREGATE_CACHE_STALE_WHILE_REVALIDATE_SECONDS,
                        false));
        policies.put(
                CacheClass.CONFIGURATION,
                policy(
                        e,
                        PublicApiVariables.PUBLIC_CONFIG_CACHE_TTL_SECONDS,
                        PublicApiVariables.PUBLIC_CONFIG_CACHE_STALE_WHILE_REVALIDATE_SECONDS,
                        false));
        policies.put(
                CacheClass.ARTIFACT,
                policy(
                        e,
                        PublicApiVariables.PUBLIC_ARTIFACT_CACHE_TTL_SECONDS,
                        PublicApiVariables.PUBLIC_ARTIFACT_CACHE_STALE_WHILE_REVALIDATE_SECONDS,
                        true));
        CacheLimits limits = new CacheLimits(
                e.get(PublicApiVariables.PUBLIC_CACHE_MAX_ENTRIES),
                e.get(PublicApiVariables.PUBLIC_CACHE_MAX_RESPONSE_BYTES),
                CacheLimits.TOTAL_BYTES);
        return new PublicApiSettings(policies, limits, e.get(PublicApiVariables.PUBLIC_CACHE_DEBUG_HEADERS));
    }

    private static CachePolicy policy(
            Environment e, Variable<Integer> ttlSeconds, Variable<Integer> staleSeconds, boolean immutable) {
        return e.get(PublicApiVariables.PUBLIC_CACHE_ENABLED)
                ? new CachePolicy(e.get(ttlSeconds), e.get(staleSeconds), immutable)
                : CachePolicy.NONE;
    }

    CachePolicy policy(CacheClass cacheClass) {
        return policies.getOrDefault(cacheClass, CachePolicy.NONE);
    }
}
