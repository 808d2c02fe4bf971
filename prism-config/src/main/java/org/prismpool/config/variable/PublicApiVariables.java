package org.prismpool.config.variable;

import static org.prismpool.config.variable.NumberParsers.decimal;
import static org.prismpool.config.variable.NumberParsers.int32;
import static org.prismpool.config.variable.NumberParsers.int64;
import static org.prismpool.config.variable.NumberParsers.seconds;
import static org.prismpool.config.variable.TextParsers.bool;
import static org.prismpool.config.variable.TextParsers.host;
import static org.prismpool.config.variable.TextParsers.list;
import static org.prismpool.config.variable.TextParsers.oneOf;
import static org.prismpool.config.variable.TextParsers.text;
import static org.prismpool.config.variable.Variable.named;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.prismpool.config.DatabaseUrl;
import org.prismpool.config.variable.NumberParsers.Floor;

/** Variables of the area "Public API and dashboard", in documented order. Source: spec 01 §1. */
public final class PublicApiVariables {

    /** Pool name shown. */
    public static final Variable<String> PUBLIC_POOL_NAME = named("PRISM_PUBLIC_POOL_NAME", text())
            .byDefault("PRISM")
            .emptyIsValue()
            .lenient()
            .owner("app (public API)")
            .doc("Pool name shown.");

    /** Host in the advertised URL. */
    public static final Variable<String> PUBLIC_STRATUM_HOST = named("PRISM_PUBLIC_STRATUM_HOST", host())
            .emptyIsUnset()
            .derived(
                    "= PRISM_STRATUM_BIND",
                    e -> Optional.of(e.get(StratumVariables.STRATUM_BIND)),
                    StratumVariables.STRATUM_BIND)
            .lenient()
            .owner("app (public API)")
            .doc("Host in the advertised URL.");

    /** Advertised default endpoint. */
    public static final Variable<String> PUBLIC_STRATUM_URL = named("PRISM_PUBLIC_STRATUM_URL", PublicUrls.url())
            .emptyIsUnset()
            .derived(
                    "stratum+tcp://PRISM_PUBLIC_STRATUM_HOST:PRISM_STRATUM_PORT",
                    PublicUrls::stratum,
                    PUBLIC_STRATUM_HOST,
                    StratumVariables.STRATUM_PORT)
            .lenient()
            .owner("app (public API)")
            .doc("Advertised default endpoint; its port, if any, is the shown default_port."
                    + " Required with prism run --role public.");

    /** Advertised high-diff endpoint. */
    public static final Variable<String> PUBLIC_STRATUM_HIGHDIFF_URL = named(
                    "PRISM_PUBLIC_STRATUM_HIGHDIFF_URL", PublicUrls.url())
            .emptyIsUnset()
            .derived(
                    "PRISM_PUBLIC_STRATUM_URL with the high-diff port, if there is one",
                    PublicUrls::highDiff,
                    PUBLIC_STRATUM_URL,
                    DifficultyVariables.STRATUM_HIGHDIFF_PORT)
            .lenient()
            .owner("app (public API)")
            .doc("Advertised high-diff endpoint; only if HIGHDIFF_PORT is a valid port.");

    /** Displayed fee (independent of the real fee. */
    public static final Variable<Integer> PUBLIC_POOL_FEE_BPS = named(
                    "PRISM_PUBLIC_POOL_FEE_BPS", int32(0, 10000, "basis points"))
            .byDefault("0")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("Displayed fee (independent of the real fee; see C9).");

    /** Label in mining-configuration. */
    public static final Variable<String> PUBLIC_CONFIGURATION_LABEL = named("PRISM_PUBLIC_CONFIGURATION_LABEL", text())
            .byDefault("PRISM default")
            .emptyIsValue()
            .lenient()
            .owner("app (public API)")
            .doc("Label in mining-configuration.");

    /** Description in mining-configuration. */
    public static final Variable<String> PUBLIC_CONFIGURATION_DESCRIPTION = named(
                    "PRISM_PUBLIC_CONFIGURATION_DESCRIPTION", text())
            .byDefault("Default PRISM Stratum endpoint using the pool's current block template and payout policy.")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("Description in mining-configuration.");

    /** Policy text in mining-configuration. */
    public static final Variable<String> PUBLIC_BLOCK_TEMPLATE_POLICY = named(
                    "PRISM_PUBLIC_BLOCK_TEMPLATE_POLICY", text())
            .byDefault("pool-selected qbit block template with PRISM payout settlement")
            .emptyIsValue()
            .lenient()
            .owner("app (public API)")
            .doc("Policy text in mining-configuration.");

    /** Displayed payout minimum. */
    public static final Variable<Long> PUBLIC_MINIMUM_PAYOUT_BITS = named(
                    "PRISM_PUBLIC_MINIMUM_PAYOUT_BITS", int64(0L, Long.MAX_VALUE, "bits"))
            .emptyIsUnset()
            .derived(
                    "PRISM_PAYOUT_MIN_OUTPUT_BITS, else 0",
                    e -> Optional.of(
                            e.find(PayoutVariables.PAYOUT_MIN_OUTPUT_BITS).orElse(0L)),
                    PayoutVariables.PAYOUT_MIN_OUTPUT_BITS)
            .lenient()
            .owner("app (public API)")
            .doc("Displayed payout minimum.");

    /** Trailing window of hash-rate points. */
    public static final Variable<Integer> PUBLIC_HASHRATE_SMOOTHING_SECONDS = named(
                    "PRISM_PUBLIC_HASHRATE_SMOOTHING_SECONDS", int32(0, 86400, "seconds"))
            .byDefault("1800")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("Trailing window of hash-rate points.");

    /** Prefix + / + txid = explorer_url (trailing slashes of the prefix removed). */
    public static final Variable<String> PUBLIC_EXPLORER_TX_URL_PREFIX = named(
                    "PRISM_PUBLIC_EXPLORER_TX_URL_PREFIX", PublicUrls.url())
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("prefix + / + txid = explorer_url (trailing slashes of the prefix removed); unset = null.");

    /** Same for block hashes. */
    public static final Variable<String> PUBLIC_EXPLORER_BLOCK_URL_PREFIX = named(
                    "PRISM_PUBLIC_EXPLORER_BLOCK_URL_PREFIX", PublicUrls.url())
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("Same for block hashes.");

    /** Off = TTL 0 for every path. */
    public static final Variable<Boolean> PUBLIC_CACHE_ENABLED = named("PRISM_PUBLIC_CACHE_ENABLED", bool())
            .byDefault("1")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("Off = TTL 0 for every path.");

    /** TTL of plain row reads. */
    public static final Variable<Integer> PUBLIC_CACHE_TTL_SECONDS = named(
                    "PRISM_PUBLIC_CACHE_TTL_SECONDS", int32(0, Integer.MAX_VALUE, "seconds"))
            .byDefault("5")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("TTL of plain row reads.");

    /** Stale window of plain row reads. */
    public static final Variable<Integer> PUBLIC_CACHE_STALE_WHILE_REVALIDATE_SECONDS = named(
                    "PRISM_PUBLIC_CACHE_STALE_WHILE_REVALIDATE_SECONDS", int32(0, Integer.MAX_VALUE, "seconds"))
            .byDefault("30")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("Stale window of plain row reads.");

    /** TTL of pool-summary, hashrate-series, miner workers. */
    public static final Variable<Integer> PUBLIC_AGGREGATE_CACHE_TTL_SECONDS = named(
                    "PRISM_PUBLIC_AGGREGATE_CACHE_TTL_SECONDS", int32(0, Integer.MAX_VALUE, "seconds"))
            .byDefault("30")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("TTL of pool-summary, hashrate-series, miner workers.");

    /** Stale window of the same. */
    public static final Variable<Integer> PUBLIC_AGGREGATE_CACHE_STALE_WHILE_REVALIDATE_SECONDS = named(
                    "PRISM_PUBLIC_AGGREGATE_CACHE_STALE_WHILE_REVALIDATE_SECONDS",
                    int32(0, Integer.MAX_VALUE, "seconds"))
            .byDefault("30")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("Stale window of the same.");

    /** TTL of mining-configuration. */
    public static final Variable<Integer> PUBLIC_CONFIG_CACHE_TTL_SECONDS = named(
                    "PRISM_PUBLIC_CONFIG_CACHE_TTL_SECONDS", int32(0, Integer.MAX_VALUE, "seconds"))
            .byDefault("300")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("TTL of mining-configuration.");

    /** Stale window of the same. */
    public static final Variable<Integer> PUBLIC_CONFIG_CACHE_STALE_WHILE_REVALIDATE_SECONDS = named(
                    "PRISM_PUBLIC_CONFIG_CACHE_STALE_WHILE_REVALIDATE_SECONDS", int32(0, Integer.MAX_VALUE, "seconds"))
            .byDefault("3600")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("Stale window of the same.");

    /** TTL of artifacts (immutable). */
    public static final Variable<Integer> PUBLIC_ARTIFACT_CACHE_TTL_SECONDS = named(
                    "PRISM_PUBLIC_ARTIFACT_CACHE_TTL_SECONDS", int32(0, Integer.MAX_VALUE, "seconds"))
            .byDefault("86400")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("TTL of artifacts (immutable).");

    /** Stale window of the same. */
    public static final Variable<Integer> PUBLIC_ARTIFACT_CACHE_STALE_WHILE_REVALIDATE_SECONDS = named(
                    "PRISM_PUBLIC_ARTIFACT_CACHE_STALE_WHILE_REVALIDATE_SECONDS",
                    int32(0, Integer.MAX_VALUE, "seconds"))
            .byDefault("86400")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("Stale window of the same.");

    /** Entries of the response cache. */
    public static final Variable<Integer> PUBLIC_CACHE_MAX_ENTRIES = named(
                    "PRISM_PUBLIC_CACHE_MAX_ENTRIES", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("512")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("Entries of the response cache.");

    /** Largest cached body. */
    public static final Variable<Integer> PUBLIC_CACHE_MAX_RESPONSE_BYTES = named(
                    "PRISM_PUBLIC_CACHE_MAX_RESPONSE_BYTES", int32(0, Integer.MAX_VALUE, "bytes"))
            .byDefault("1048576")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("Largest cached body.");

    /** Adds X-Prism-Public-Cache. */
    public static final Variable<Boolean> PUBLIC_CACHE_DEBUG_HEADERS = named("PRISM_PUBLIC_CACHE_DEBUG_HEADERS", bool())
            .byDefault("0")
            .emptyIsUnset()
            .lenient()
            .owner("app (public API)")
            .doc("Adds X-Prism-Public-Cache.");

    /** Bind of the second listener that serves only /public/v1 and the dashboard. */
    public static final Variable<String> PUBLIC_API_BIND = named("PRISM_PUBLIC_API_BIND", text())
            .emptyIsValue()
            .owner("app (HTTP)")
            .doc("Bind of the second listener that serves only /public/v1 and the dashboard; unset or empty = disabled,"
                    + " with prism run --role public 127.0.0.1.");

    /** Port of that second listener. */
    public static final Variable<Integer> PUBLIC_API_PORT = named("PRISM_PUBLIC_API_PORT", int32(1, 65535, "port"))
            .byDefault("3342")
            .owner("app (HTTP)")
            .doc("Port of that second listener.");

    /** Access-Control-Allow-Origin on /public/v1: * or comma-separated origins. */
    public static final Variable<List<String>> PUBLIC_CORS_ORIGINS = named(
                    "PRISM_PUBLIC_CORS_ORIGINS", list(NetworkParsers.origin()))
            .byDefault("*")
            .emptyIsValue()
            .owner("app (HTTP)")
            .doc("Access-Control-Allow-Origin on /public/v1: * or comma-separated origins; empty = no CORS headers.");

    /** Requests per second and client address on /public/v1. */
    public static final Variable<BigDecimal> PUBLIC_RATE_LIMIT_PER_SECOND = named(
                    "PRISM_PUBLIC_RATE_LIMIT_PER_SECOND", decimal(Floor.NON_NEGATIVE, ""))
            .byDefault("20")
            .owner("app (HTTP)")
            .doc("Requests per second and client address on /public/v1; 0 = off.");

    /** Token bucket size of that limiter. */
    public static final Variable<Integer> PUBLIC_RATE_LIMIT_BURST = named(
                    "PRISM_PUBLIC_RATE_LIMIT_BURST", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("40")
            .owner("app (HTTP)")
            .doc("Token bucket size of that limiter.");

    /** Built-in dashboard page. */
    public static final Variable<Boolean> DASHBOARD_ENABLED = named("PRISM_DASHBOARD_ENABLED", bool())
            .byDefault("1")
            .owner("app (HTTP)")
            .doc("Built-in dashboard page.");

    /** Read-only database of the separate public process. */
    public static final Variable<DatabaseUrl> PUBLIC_DATABASE_URL = named(
                    "PRISM_PUBLIC_DATABASE_URL", DatabaseParsers.url())
            .emptyIsUnset()
            .secret()
            .owner("app (public API)")
            .doc("Read-only database of the separate public process; required with prism run --role public.");

    /** Require: the server behind the public database URL must be in recovery and fresh. */
    public static final Variable<String> PUBLIC_REPLICA_MODE = named(
                    "PRISM_PUBLIC_REPLICA_MODE", oneOf(true, "off", "require"))
            .byDefault("off")
            .owner("app (public API)")
            .doc("require: the server behind the public database URL must be in recovery and fresh.");

    /** Freshness bound of that replica. */
    public static final Variable<Duration> PUBLIC_REPLICA_MAX_LAG_SECONDS = named(
                    "PRISM_PUBLIC_REPLICA_MAX_LAG_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("60")
            .owner("app (public API)")
            .doc("Freshness bound of that replica.");

    /** Cadence of its readiness probe. */
    public static final Variable<Duration> PUBLIC_READINESS_PROBE_INTERVAL_SECONDS = named(
                    "PRISM_PUBLIC_READINESS_PROBE_INTERVAL_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("5")
            .owner("app (public API)")
            .doc("Cadence of its readiness probe.");

    private PublicApiVariables() {}

    /**
     * Returns the group for the registry.
     *
     * @return the variables in documented order
     */
    public static VariableRegistry.Group group() {
        return new VariableRegistry.Group(
                "Public API and dashboard",
                List.of(
                        PUBLIC_POOL_NAME,
                        PUBLIC_STRATUM_HOST,
                        PUBLIC_STRATUM_URL,
                        PUBLIC_STRATUM_HIGHDIFF_URL,
                        PUBLIC_POOL_FEE_BPS,
                        PUBLIC_CONFIGURATION_LABEL,
                        PUBLIC_CONFIGURATION_DESCRIPTION,
                        PUBLIC_BLOCK_TEMPLATE_POLICY,
                        PUBLIC_MINIMUM_PAYOUT_BITS,
                        PUBLIC_HASHRATE_SMOOTHING_SECONDS,
                        PUBLIC_EXPLORER_TX_URL_PREFIX,
                        PUBLIC_EXPLORER_BLOCK_URL_PREFIX,
                        PUBLIC_CACHE_ENABLED,
                        PUBLIC_CACHE_TTL_SECONDS,
                        PUBLIC_CACHE_STALE_WHILE_REVALIDATE_SECONDS,
                        PUBLIC_AGGREGATE_CACHE_TTL_SECONDS,
                        PUBLIC_AGGREGATE_CACHE_STALE_WHILE_REVALIDATE_SECONDS,
                        PUBLIC_CONFIG_CACHE_TTL_SECONDS,
                        PUBLIC_CONFIG_CACHE_STALE_WHILE_REVALIDATE_SECONDS,
                        PUBLIC_ARTIFACT_CACHE_TTL_SECONDS,
                        PUBLIC_ARTIFACT_CACHE_STALE_WHILE_REVALIDATE_SECONDS,
                        PUBLIC_CACHE_MAX_ENTRIES,
                        PUBLIC_CACHE_MAX_RESPONSE_BYTES,
                        PUBLIC_CACHE_DEBUG_HEADERS,
                        PUBLIC_API_BIND,
                        PUBLIC_API_PORT,
                        PUBLIC_CORS_ORIGINS,
                        PUBLIC_RATE_LIMIT_PER_SECOND,
                        PUBLIC_RATE_LIMIT_BURST,
                        DASHBOARD_ENABLED,
                        PUBLIC_DATABASE_URL,
                        PUBLIC_REPLICA_MODE,
                        PUBLIC_REPLICA_MAX_LAG_SECONDS,
                        PUBLIC_READINESS_PROBE_INTERVAL_SECONDS));
    }
}
