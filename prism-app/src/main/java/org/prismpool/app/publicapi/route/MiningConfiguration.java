package org.prismpool.app.publicapi.route;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.prismpool.app.publicapi.PublicBody;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.DifficultyVariables;
import org.prismpool.config.variable.PublicApiVariables;
import org.prismpool.config.variable.StratumVariables;

/** The document {@code /mining-configuration}: settings only. Immutable. Source: spec 08 §7.7. */
public final class MiningConfiguration {

    private static final String ID = "default";

    private final Environment environment;
    private final int stratumPort;
    private final Clock wall;

    /**
     * Creates the document of an environment.
     *
     * @param environment values without errors
     * @param stratumPort port of the default listener, shown where no URL is configured
     * @param wall clock of {@code generated_at}
     */
    public MiningConfiguration(Environment environment, int stratumPort, Clock wall) {
        this.environment = environment;
        this.stratumPort = stratumPort;
        this.wall = wall;
    }

    /**
     * Creates the document with the configured port.
     *
     * @param environment values without errors
     * @param wall clock of {@code generated_at}
     * @return the document
     */
    public static MiningConfiguration of(Environment environment, Clock wall) {
        return new MiningConfiguration(environment, environment.get(StratumVariables.STRATUM_PORT), wall);
    }

    PublicBody body() {
        Map<String, Object> configuration = new TreeMap<>();
        configuration.put("id", ID);
        configuration.put("label", environment.get(PublicApiVariables.PUBLIC_CONFIGURATION_LABEL));
        configuration.put("description", environment.get(PublicApiVariables.PUBLIC_CONFIGURATION_DESCRIPTION));
        configuration.put("pool_fee_bps", environment.get(PublicApiVariables.PUBLIC_POOL_FEE_BPS));
        configuration.put("block_template_policy", environment.get(PublicApiVariables.PUBLIC_BLOCK_TEMPLATE_POLICY));
        configuration.put("stratum_endpoints", endpoints());
        Map<String, Object> document = new TreeMap<>();
        document.put("schema", "prism.dashboard.mining-configuration.v1");
        document.put(
                "generated_at", wall.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        document.put("active_configuration_id", ID);
        document.put("configurations", List.of(configuration));
        return PublicBody.document(document);
    }

    private List<Map<String, Object>> endpoints() {
        List<Map<String, Object>> endpoints = new ArrayList<>();
        endpoints.add(endpoint("Primary", primary(), stratumPort));
        environment
                .find(DifficultyVariables.STRATUM_HIGHDIFF_PORT)
                .ifPresent(port -> endpoints.add(endpoint("High-diff", highDiff(port), port)));
        return endpoints;
    }

    private String primary() {
        return environment.given(PublicApiVariables.PUBLIC_STRATUM_URL)
                ? environment.get(PublicApiVariables.PUBLIC_STRATUM_URL)
                : url("stratum+tcp", host(), stratumPort);
    }

    private String highDiff(int port) {
        if (environment.given(PublicApiVariables.PUBLIC_STRATUM_HIGHDIFF_URL)) {
            return environment.get(PublicApiVariables.PUBLIC_STRATUM_HIGHDIFF_URL);
        }
        return parsed(primary())
                .filter(primary -> primary.getScheme() != null && primary.getHost() != null)
                .map(primary -> url(primary.getScheme(), primary.getHost(), port))
                .orElseGet(() -> url("stratum+tcp", host(), port));
    }

    private String host() {
        return environment.get(PublicApiVariables.PUBLIC_STRATUM_HOST);
    }

    private static String url(String scheme, String host, int port) {
        boolean bareIpv6 = host.contains(":") && !host.startsWith("[");
        return scheme + "://" + (bareIpv6 ? "[" + host + "]" : host) + ":" + port;
    }

    private static Map<String, Object> endpoint(String label, String url, int listenerPort) {
        Map<String, Object> endpoint = new TreeMap<>();
        endpoint.put("label", label);
        endpoint.put("url", url);
        endpoint.put("protocol", "stratum_v1");
        endpoint.put(
                "default_port",
                parsed(url).map(URI::getPort).filter(port -> port > 0).orElse(listenerPort));
        return endpoint;
    }

    private static Optional<URI> parsed(String url) {
        try {
            return Optional.of(new URI(url));
        } catch (URISyntaxException unusual) {
            return Optional.empty(); // shown as it is configured
        }
    }
}
