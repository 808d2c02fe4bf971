package org.prismpool.config.variable;

import static org.prismpool.config.variable.NumberParsers.int32;
import static org.prismpool.config.variable.NumberParsers.seconds;
import static org.prismpool.config.variable.TextParsers.host;
import static org.prismpool.config.variable.TextParsers.list;
import static org.prismpool.config.variable.TextParsers.oneOf;
import static org.prismpool.config.variable.TextParsers.path;
import static org.prismpool.config.variable.TextParsers.text;
import static org.prismpool.config.variable.Variable.named;

import java.time.Duration;
import java.util.List;
import org.prismpool.config.variable.NumberParsers.Floor;

/** Variables of the area "Stratum listeners and sessions", in documented order. Source: spec 01 §1. */
public final class StratumVariables {

    /** Bind address of the default listener. */
    public static final Variable<String> STRATUM_BIND = named("PRISM_STRATUM_BIND", host())
            .byDefault("127.0.0.1")
            .packaged("0.0.0.0")
            .owner("stratum")
            .doc("Bind address of the default listener.");

    /** Port of the default listener. */
    public static final Variable<Integer> STRATUM_PORT = named("PRISM_STRATUM_PORT", int32(1, 65535, "port"))
            .byDefault("3340")
            .owner("stratum; app (public API)")
            .doc("Port of the default listener. Also the fallback port shown by the public API.");

    /** Bounds one blocking send to a miner (not receives). */
    public static final Variable<Duration> STRATUM_SEND_TIMEOUT_SECONDS = named(
                    "PRISM_STRATUM_SEND_TIMEOUT_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("20")
            .owner("stratum")
            .doc(
                    "Bounds one blocking send to a miner (not receives). Production: must be > 0. If > 0: < watchdog timeout (W1).");

    /** Global ceiling over all listeners, checked before any session object is allocated. */
    public static final Variable<Integer> STRATUM_MAX_CONNECTIONS = named(
                    "PRISM_STRATUM_MAX_CONNECTIONS", int32(0, Integer.MAX_VALUE, ""))
            .byDefault("384")
            .owner("stratum")
            .doc(
                    "Global ceiling over all listeners, checked before any session object is allocated. Production: must be > 0.");

    /** Ceiling of connections per exact Stratum user name. */
    public static final Variable<Integer> STRATUM_MAX_CONNECTIONS_PER_USERNAME = named(
                    "PRISM_STRATUM_MAX_CONNECTIONS_PER_USERNAME", int32(0, Integer.MAX_VALUE, ""))
            .byDefault("0")
            .owner("stratum")
            .doc("Ceiling of connections per exact Stratum user name.");

    /** Pause of an accept loop after descriptor/thread exhaustion. */
    public static final Variable<Duration> STRATUM_ACCEPT_RESOURCE_EXHAUSTION_BACKOFF_SECONDS = named(
                    "PRISM_STRATUM_ACCEPT_RESOURCE_EXHAUSTION_BACKOFF_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("1")
            .owner("stratum")
            .doc(
                    "Pause of an accept loop after descriptor/thread exhaustion; must heartbeat during the pause every min(1 s, watchdog/2).");

    /** Listen() backlog per listener (the kernel caps it at somaxconn). */
    public static final Variable<Integer> STRATUM_LISTEN_BACKLOG = named(
                    "PRISM_STRATUM_LISTEN_BACKLOG", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("1024")
            .owner("stratum")
            .doc("listen() backlog per listener (the kernel caps it at somaxconn).");

    /** How long a bind retries "address in use" at startup. */
    public static final Variable<Duration> STRATUM_BIND_RETRY_SECONDS = named(
                    "PRISM_STRATUM_BIND_RETRY_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("10")
            .owner("stratum")
            .doc("How long a bind retries \"address in use\" at startup.");

    /** Payout address for user names that are not a valid P2MR address. */
    public static final Variable<String> USERNAME_FALLBACK_ADDRESS = named("PRISM_USERNAME_FALLBACK_ADDRESS", text())
            .emptyIsUnset()
            .derived(
                    "the built-in test address on testnet, testnet3, testnet4 and signet, else none",
                    e -> Chains.fallbackAddress(e.get(NodeVariables.QBIT_CHAIN)),
                    NodeVariables.QBIT_CHAIN)
            .owner("stratum")
            .doc(
                    "Payout address for user names that are not a valid P2MR address. None = such names are refused (fail closed).");

    /** LRU bound of successful address validations (request coalescing stays on). */
    public static final Variable<Integer> PAYOUT_ADDRESS_CACHE_MAX_ENTRIES = named(
                    "PRISM_PAYOUT_ADDRESS_CACHE_MAX_ENTRIES", int32(0, Integer.MAX_VALUE, ""))
            .byDefault("4096")
            .owner("stratum")
            .doc("LRU bound of successful address validations (request coalescing stays on).");

    /** Age limit of a cached validation. */
    public static final Variable<Duration> PAYOUT_ADDRESS_CACHE_TTL_SECONDS = named(
                    "PRISM_PAYOUT_ADDRESS_CACHE_TTL_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("3600")
            .owner("stratum")
            .doc("Age limit of a cached validation. Failures are never cached.");

    /** Longest request line. */
    public static final Variable<Integer> STRATUM_MAX_LINE_BYTES = named(
                    "PRISM_STRATUM_MAX_LINE_BYTES", int32(1024, Integer.MAX_VALUE, "bytes"))
            .byDefault("16384")
            .owner("stratum")
            .doc("Longest request line; over it: error, then close.");

    /** Consecutive malformed requests before the connection is closed. */
    public static final Variable<Integer> STRATUM_MAX_PROTOCOL_ERRORS = named(
                    "PRISM_STRATUM_MAX_PROTOCOL_ERRORS", int32(0, Integer.MAX_VALUE, ""))
            .byDefault("100")
            .owner("stratum")
            .doc("Consecutive malformed requests before the connection is closed; 0 = off.");

    /** Time from accept to subscribed and authorised. */
    public static final Variable<Duration> STRATUM_HANDSHAKE_TIMEOUT_SECONDS = named(
                    "PRISM_STRATUM_HANDSHAKE_TIMEOUT_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("60")
            .owner("stratum")
            .doc("Time from accept to subscribed and authorised; 0 = off.");

    /** Ceiling of connections per client address. */
    public static final Variable<Integer> STRATUM_MAX_CONNECTIONS_PER_IP = named(
                    "PRISM_STRATUM_MAX_CONNECTIONS_PER_IP", int32(0, Integer.MAX_VALUE, ""))
            .byDefault("0")
            .owner("stratum")
            .doc("Ceiling of connections per client address; 0 = off.");

    /** Forward limit of the ntime window. */
    public static final Variable<Integer> STRATUM_NTIME_FORWARD_SECONDS = named(
                    "PRISM_STRATUM_NTIME_FORWARD_SECONDS", int32(0, Integer.MAX_VALUE, "seconds"))
            .byDefault("600")
            .owner("stratum")
            .doc(
                    "Forward limit of the ntime window; the larger of it and the template's own limit applies; 0 = no ntime check at all.");

    /** Size budget of coinb1 + coinb2 of the default listener. */
    public static final Variable<Integer> STRATUM_COINBASE_BUDGET_BYTES = named(
                    "PRISM_STRATUM_COINBASE_BUDGET_BYTES", int32(0, Integer.MAX_VALUE, "bytes"))
            .byDefault("0")
            .owner("stratum")
            .doc("Size budget of coinb1 + coinb2 of the default listener; 0 = none.");

    /** Size budget of coinb1 + coinb2 of the high-diff listener. */
    public static final Variable<Integer> STRATUM_HIGHDIFF_COINBASE_BUDGET_BYTES = named(
                    "PRISM_STRATUM_HIGHDIFF_COINBASE_BUDGET_BYTES", int32(0, Integer.MAX_VALUE, "bytes"))
            .byDefault("0")
            .owner("stratum")
            .doc("Size budget of coinb1 + coinb2 of the high-diff listener; 0 = none.");

    /** What exceeding a listener's budget does. */
    public static final Variable<String> STRATUM_COINBASE_BUDGET_ACTION = named(
                    "PRISM_STRATUM_COINBASE_BUDGET_ACTION", oneOf(true, "warn", "refuse"))
            .byDefault("warn")
            .owner("stratum")
            .doc("What exceeding a listener's budget does.");

    /** Third listener with TLS 1.2 and 1.3, policy of the default listener. */
    public static final Variable<Integer> STRATUM_TLS_PORT = named("PRISM_STRATUM_TLS_PORT", int32(1, 65535, "port"))
            .emptyIsUnset()
            .owner("stratum")
            .doc("Third listener with TLS 1.2 and 1.3, policy of the default listener.");

    /** Certificate chain (PEM) of the TLS listener, reloaded when the file changes. */
    public static final Variable<String> STRATUM_TLS_CERT_FILE = named("PRISM_STRATUM_TLS_CERT_FILE", path())
            .owner("stratum")
            .doc("Certificate chain (PEM) of the TLS listener, reloaded when the file changes.");

    /** Private key (PEM) of the TLS listener, reloaded when the file changes. */
    public static final Variable<String> STRATUM_TLS_KEY_FILE = named("PRISM_STRATUM_TLS_KEY_FILE", path())
            .owner("stratum")
            .doc("Private key (PEM) of the TLS listener, reloaded when the file changes.");

    /** PROXY protocol on every Stratum listener. */
    public static final Variable<String> STRATUM_PROXY_PROTOCOL = named(
                    "PRISM_STRATUM_PROXY_PROTOCOL", oneOf(true, "off", "v1", "v2", "any"))
            .byDefault("off")
            .owner("stratum")
            .doc(
                    "PROXY protocol on every Stratum listener; with it on, a connection from a trusted network must begin with a header.");

    /** Networks whose PROXY header is believed, comma-separated CIDRs. */
    public static final Variable<List<String>> STRATUM_PROXY_TRUSTED_CIDRS = named(
                    "PRISM_STRATUM_PROXY_TRUSTED_CIDRS", list(NetworkParsers.cidr()))
            .owner("stratum")
            .doc(
                    "Networks whose PROXY header is believed, comma-separated CIDRs; required unless the protocol is off.");

    private StratumVariables() {}

    /**
     * Returns the group for the registry.
     *
     * @return the variables in documented order
     */
    public static VariableRegistry.Group group() {
        return new VariableRegistry.Group(
                "Stratum listeners and sessions",
                List.of(
                        STRATUM_BIND,
                        STRATUM_PORT,
                        STRATUM_SEND_TIMEOUT_SECONDS,
                        STRATUM_MAX_CONNECTIONS,
                        STRATUM_MAX_CONNECTIONS_PER_USERNAME,
                        STRATUM_ACCEPT_RESOURCE_EXHAUSTION_BACKOFF_SECONDS,
                        STRATUM_LISTEN_BACKLOG,
                        STRATUM_BIND_RETRY_SECONDS,
                        USERNAME_FALLBACK_ADDRESS,
                        PAYOUT_ADDRESS_CACHE_MAX_ENTRIES,
                        PAYOUT_ADDRESS_CACHE_TTL_SECONDS,
                        STRATUM_MAX_LINE_BYTES,
                        STRATUM_MAX_PROTOCOL_ERRORS,
                        STRATUM_HANDSHAKE_TIMEOUT_SECONDS,
                        STRATUM_MAX_CONNECTIONS_PER_IP,
                        STRATUM_NTIME_FORWARD_SECONDS,
                        STRATUM_COINBASE_BUDGET_BYTES,
                        STRATUM_HIGHDIFF_COINBASE_BUDGET_BYTES,
                        STRATUM_COINBASE_BUDGET_ACTION,
                        STRATUM_TLS_PORT,
                        STRATUM_TLS_CERT_FILE,
                        STRATUM_TLS_KEY_FILE,
                        STRATUM_PROXY_PROTOCOL,
                        STRATUM_PROXY_TRUSTED_CIDRS));
    }
}
