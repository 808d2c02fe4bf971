package org.prismpool.app.composition.settings;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.DeliveryVariables;
import org.prismpool.config.variable.DifficultyVariables;
import org.prismpool.config.variable.LifecycleVariables;
import org.prismpool.config.variable.RefreshVariables;
import org.prismpool.config.variable.StratumVariables;
import org.prismpool.stratum.Cidr;
import org.prismpool.stratum.ConnectionLimits;
import org.prismpool.stratum.IdentityPolicy;
import org.prismpool.stratum.JobPolicy;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.ProtocolLimits;
import org.prismpool.stratum.ProxyProtocol;
import org.prismpool.stratum.SharePolicy;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.TlsFiles;
import org.prismpool.stratum.vardiff.DifficultyRange;
import org.prismpool.stratum.vardiff.ResumePolicy;
import org.prismpool.stratum.vardiff.VardiffPace;
import org.prismpool.stratum.vardiff.VardiffPolicy;

/** Maps the environment to the Stratum server's configuration. */
public final class StratumSettings {

    private static final String DEFAULT = "default";
    private static final String HIGHDIFF = "highdiff";
    private static final String TLS = "tls";

    private StratumSettings() {}

    /**
     * Makes the configuration.
     *
     * @param e valid environment
     * @param versionMask version bits that miners may roll, as probed at the node
     * @param portOverride port of the default listener instead of the configured one; 0 takes a free port
     */
    public static StratumConfig of(Environment e, int versionMask, Optional<Integer> portOverride) {
        JobPolicy jobs = JobPolicy.perProcess()
                .withShape(versionMask, e.get(DifficultyVariables.STRATUM_EXTRANONCE2_SIZE))
                .withIntegralDifficulty(e.get(DifficultyVariables.STRATUM_INTEGRAL_DIFFICULTY));
        ProtocolLimits limits = ProtocolLimits.defaults();
        return new StratumConfig(
                listeners(e, portOverride),
                connections(e),
                new ProtocolLimits(
                        e.get(StratumVariables.STRATUM_MAX_LINE_BYTES),
                        e.get(StratumVariables.STRATUM_MAX_PROTOCOL_ERRORS),
                        limits.rejectBurst(),
                        limits.rejectsPerSecond(),
                        limits.maxOutboundBytes(),
                        limits.maxPendingSubmits()),
                jobs,
                shares(e),
                new IdentityPolicy(
                        e.find(StratumVariables.USERNAME_FALLBACK_ADDRESS),
                        e.find(DifficultyVariables.STRATUM_SHARE_WEIGHTS_JSON).orElse(Map.of()),
                        e.get(LifecycleVariables.WORKER_METRICS_LIMIT)),
                new StratumConfig.DifficultyConfig(
                        e.get(DifficultyVariables.STRATUM_VARDIFF),
                        e.get(DifficultyVariables.STRATUM_VARDIFF_IDLE_SWEEP_SECONDS),
                        new ResumePolicy(
                                e.get(DifficultyVariables.STRATUM_VARDIFF_RESUME),
                                e.get(DifficultyVariables.STRATUM_VARDIFF_RESUME_TTL_SECONDS),
                                e.get(DifficultyVariables.STRATUM_VARDIFF_RESUME_MAX_ENTRIES),
                                e.get(DifficultyVariables.STRATUM_VARDIFF_RESUME_MAX_START_FACTOR))),
                transport(e));
    }

    /** Names of the listeners that this configuration opens, the default one first. */
    public static List<String> listenerNames(Environment e) {
        List<String> names = new ArrayList<>(List.of(DEFAULT));
        e.find(DifficultyVariables.STRATUM_HIGHDIFF_PORT).ifPresent(port -> names.add(HIGHDIFF));
        e.find(StratumVariables.STRATUM_TLS_PORT).ifPresent(port -> names.add(TLS));
        return names;
    }

    private static ConnectionLimits connections(Environment e) {
        return new ConnectionLimits(
                e.get(StratumVariables.STRATUM_MAX_CONNECTIONS),
                e.get(StratumVariables.STRATUM_MAX_CONNECTIONS_PER_USERNAME),
                e.get(StratumVariables.STRATUM_MAX_CONNECTIONS_PER_IP),
                e.get(StratumVariables.STRATUM_HANDSHAKE_TIMEOUT_SECONDS),
                e.get(StratumVariables.STRATUM_SEND_TIMEOUT_SECONDS),
                e.get(StratumVariables.STRATUM_ACCEPT_RESOURCE_EXHAUSTION_BACKOFF_SECONDS),
                e.get(StratumVariables.STRATUM_BIND_RETRY_SECONDS));
    }

    private static SharePolicy shares(Environment e) {
        return new SharePolicy(
                e.get(DeliveryVariables.STRATUM_STALE_GRACE_SECONDS),
                e.get(DeliveryVariables.SUBMIT_TIP_MAX_AGE_SECONDS),
                e.get(RefreshVariables.TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS),
                e.get(StratumVariables.STRATUM_NTIME_FORWARD_SECONDS),
                SharePolicy.defaults().duplicateCapacity());
    }

    private static List<ListenerConfig> listeners(Environment e, Optional<Integer> portOverride) {
        int backlog = e.get(StratumVariables.STRATUM_LISTEN_BACKLOG);
        VardiffPolicy vardiff = policy(
                e,
                new DifficultyRange(
                        e.get(DifficultyVariables.STRATUM_VARDIFF_MIN_DIFF),
                        e.get(DifficultyVariables.STRATUM_VARDIFF_START_DIFF),
                        e.get(DifficultyVariables.STRATUM_VARDIFF_MAX_DIFF)));
        BigDecimal shareDifficulty = e.get(DifficultyVariables.STRATUM_SHARE_DIFF);
        String bind = e.get(StratumVariables.STRATUM_BIND);
        int budget = e.get(StratumVariables.STRATUM_COINBASE_BUDGET_BYTES);
        List<ListenerConfig> listeners = new ArrayList<>();
        listeners.add(new ListenerConfig(
                DEFAULT,
                bind,
                portOverride.orElse(e.get(StratumVariables.STRATUM_PORT)),
                backlog,
                "stratum_accept",
                shareDifficulty,
                vardiff,
                Optional.empty(),
                budget,
                Optional.empty()));
        e.find(DifficultyVariables.STRATUM_HIGHDIFF_PORT)
                .ifPresent(port -> listeners.add(highDifficulty(e, port, backlog)));
        e.find(StratumVariables.STRATUM_TLS_PORT)
                .ifPresent(port -> listeners.add(new ListenerConfig(
                        TLS,
                        bind,
                        port,
                        backlog,
                        "stratum_accept_tls",
                        shareDifficulty,
                        vardiff,
                        Optional.empty(),
                        budget,
                        Optional.of(new TlsFiles(
                                Path.of(e.get(StratumVariables.STRATUM_TLS_CERT_FILE)),
                                Path.of(e.get(StratumVariables.STRATUM_TLS_KEY_FILE)))))));
        return listeners;
    }

    private static ListenerConfig highDifficulty(Environment e, int port, int backlog) {
        BigDecimal floor = e.get(DifficultyVariables.STRATUM_HIGHDIFF_MIN_DIFF);
        VardiffPolicy vardiff = policy(
                e,
                new DifficultyRange(
                        floor,
                        e.get(DifficultyVariables.STRATUM_HIGHDIFF_START_DIFF),
                        e.get(DifficultyVariables.STRATUM_HIGHDIFF_MAX_DIFF)));
        return new ListenerConfig(
                HIGHDIFF,
                e.get(DifficultyVariables.STRATUM_HIGHDIFF_BIND),
                port,
                backlog,
                "stratum_accept_highdiff",
                e.get(DifficultyVariables.STRATUM_HIGHDIFF_SHARE_DIFF),
                vardiff,
                Optional.of(floor),
                e.get(StratumVariables.STRATUM_HIGHDIFF_COINBASE_BUDGET_BYTES),
                Optional.empty());
    }

    private static VardiffPolicy policy(Environment e, DifficultyRange range) {
        return new VardiffPolicy(
                range,
                new VardiffPace(
                        e.get(DifficultyVariables.STRATUM_VARDIFF_TARGET_SECONDS),
                        e.get(DifficultyVariables.STRATUM_VARDIFF_RETARGET_SECONDS),
                        e.get(DifficultyVariables.STRATUM_VARDIFF_MAX_STEP_UP),
                        e.get(DifficultyVariables.STRATUM_VARDIFF_MAX_STEP_DOWN),
                        e.get(DifficultyVariables.STRATUM_VARDIFF_EWMA_ALPHA),
                        e.get(DifficultyVariables.STRATUM_VARDIFF_RETARGET_TOLERANCE)));
    }

    private static StratumConfig.TransportConfig transport(Environment e) {
        ProxyProtocol.Mode mode = ProxyProtocol.Mode.valueOf(
                e.get(StratumVariables.STRATUM_PROXY_PROTOCOL).toUpperCase(Locale.ROOT));
        List<Cidr> trusted = e.find(StratumVariables.STRATUM_PROXY_TRUSTED_CIDRS).orElse(List.of()).stream()
                .map(Cidr::of)
                .toList();
        Duration half = e.get(LifecycleVariables.WATCHDOG_TIMEOUT_SECONDS).dividedBy(2);
        Duration heartbeat = half.compareTo(Duration.ofSeconds(1)) < 0 ? half : Duration.ofSeconds(1);
        return new StratumConfig.TransportConfig(
                StratumConfig.TransportConfig.defaults().ioThreads(),
                mode == ProxyProtocol.Mode.OFF ? ProxyProtocol.OFF : new ProxyProtocol(mode, trusted),
                e.get(StratumVariables.STRATUM_COINBASE_BUDGET_ACTION).equals("refuse"),
                heartbeat);
    }
}
