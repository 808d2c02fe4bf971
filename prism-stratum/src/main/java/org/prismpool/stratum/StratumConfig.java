package org.prismpool.stratum;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.prismpool.stratum.vardiff.ResumePolicy;

/**
 * Everything that a {@link StratumServer} is told at its creation; nothing changes afterwards.
 *
 * @param listeners one listener or more, with different names
 * @param connections admission and timeouts
 * @param protocol bounds of one connection
 * @param jobs numbering and shape of jobs
 * @param shares when work counts
 * @param identity names, fallback and weights
 * @param difficulty vardiff switches common to all listeners
 * @param transport threads, PROXY protocol and budgets
 */
public record StratumConfig(
        List<ListenerConfig> listeners,
        ConnectionLimits connections,
        ProtocolLimits protocol,
        JobPolicy jobs,
        SharePolicy shares,
        IdentityPolicy identity,
        DifficultyConfig difficulty,
        TransportConfig transport) {

    /**
     * Checks the listeners.
     *
     * @throws IllegalArgumentException without listeners or with two of one name
     */
    public StratumConfig {
        listeners = List.copyOf(listeners);
        Set<String> names = new HashSet<>();
        for (ListenerConfig listener : listeners) {
            if (!names.add(listener.name())) {
                throw new IllegalArgumentException("two listeners are named " + listener.name());
            }
        }
        if (listeners.isEmpty()) {
            throw new IllegalArgumentException("a server needs a listener");
        }
    }

    /**
     * Returns the documented defaults for some listeners.
     *
     * @param listeners the listeners
     * @return the configuration
     */
    public static StratumConfig of(ListenerConfig... listeners) {
        return new StratumConfig(
                List.of(listeners),
                ConnectionLimits.defaults(),
                ProtocolLimits.defaults(),
                JobPolicy.perProcess(),
                SharePolicy.defaults(),
                IdentityPolicy.defaults(),
                DifficultyConfig.defaults(),
                TransportConfig.defaults());
    }

    /**
     * Returns this configuration with other connection limits.
     *
     * @param limits the limits
     * @return the changed configuration
     */
    public StratumConfig with(ConnectionLimits limits) {
        return new StratumConfig(listeners, limits, protocol, jobs, shares, identity, difficulty, transport);
    }

    /**
     * Returns this configuration with other protocol limits.
     *
     * @param limits the limits
     * @return the changed configuration
     */
    public StratumConfig with(ProtocolLimits limits) {
        return new StratumConfig(listeners, connections, limits, jobs, shares, identity, difficulty, transport);
    }

    /**
     * Returns this configuration with another job policy.
     *
     * @param policy the policy
     * @return the changed configuration
     */
    public StratumConfig with(JobPolicy policy) {
        return new StratumConfig(listeners, connections, protocol, policy, shares, identity, difficulty, transport);
    }

    /**
     * Returns this configuration with another share policy.
     *
     * @param policy the policy
     * @return the changed configuration
     */
    public StratumConfig with(SharePolicy policy) {
        return new StratumConfig(listeners, connections, protocol, jobs, policy, identity, difficulty, transport);
    }

    /**
     * Returns this configuration with another identity policy.
     *
     * @param policy the policy
     * @return the changed configuration
     */
    public StratumConfig with(IdentityPolicy policy) {
        return new StratumConfig(listeners, connections, protocol, jobs, shares, policy, difficulty, transport);
    }

    /**
     * Returns this configuration with other vardiff switches.
     *
     * @param config the switches
     * @return the changed configuration
     */
    public StratumConfig with(DifficultyConfig config) {
        return new StratumConfig(listeners, connections, protocol, jobs, shares, identity, config, transport);
    }

    /**
     * Returns this configuration with another transport.
     *
     * @param config the transport
     * @return the changed configuration
     */
    public StratumConfig with(TransportConfig config) {
        return new StratumConfig(listeners, connections, protocol, jobs, shares, identity, difficulty, config);
    }

    /**
     * Vardiff switches common to all listeners.
     *
     * @param vardiff whether difficulties follow the shares; otherwise each listener's fixed difficulty holds
     * @param idleSweep how often silent sessions are looked for, zero for never
     * @param resume memory across reconnects
     */
    public record DifficultyConfig(boolean vardiff, Duration idleSweep, ResumePolicy resume) {

        /**
         * Returns the documented defaults: on, 15 s, default memory.
         *
         * @return the default switches
         */
        public static DifficultyConfig defaults() {
            return new DifficultyConfig(true, Duration.ofSeconds(15), ResumePolicy.defaults());
        }
    }

    /**
     * Threads and wire-level options common to all listeners.
     *
     * @param ioThreads event loops of miner connections, 1 or more
     * @param proxyProtocol PROXY protocol of all listeners
     * @param refuseOverBudget whether a listener's coinbase budget refuses new sessions instead of only reporting
     * @param heartbeat how often accept loops report that they live, above zero
     */
    public record TransportConfig(
            int ioThreads, ProxyProtocol proxyProtocol, boolean refuseOverBudget, Duration heartbeat) {

        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if a value is out of its range
         */
        public TransportConfig {
            if (ioThreads < 1 || heartbeat.isZero() || heartbeat.isNegative()) {
                throw new IllegalArgumentException("threads or heartbeat out of range");
            }
        }

        /**
         * Returns the documented defaults: one event loop per processor up to 8, no PROXY protocol, budgets report only,
         * a heartbeat each second.
         *
         * @return the default transport
         */
        public static TransportConfig defaults() {
            int threads = Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors()));
            return new TransportConfig(threads, ProxyProtocol.OFF, false, Duration.ofSeconds(1));
        }
    }
}
