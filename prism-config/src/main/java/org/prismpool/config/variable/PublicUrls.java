package org.prismpool.config.variable;

import java.net.URI;
import java.util.Optional;
import org.prismpool.config.Environment;

/** Addresses that the public API advertises. */
final class PublicUrls {

    private PublicUrls() {}

    static Parser<String> url() {
        return new SimpleParser<>("URL", "URL with scheme and host", text -> {
            URI uri = NetworkParsers.uri(text);
            if (uri == null || uri.getScheme() == null || uri.getHost() == null) {
                throw ParseProblem.malformed("must be a URL with scheme and host");
            }
            return text;
        });
    }

    static Optional<String> stratum(Environment environment) {
        return Optional.of(stratum(environment, environment.get(StratumVariables.STRATUM_PORT)));
    }

    /** A URL whose host Java cannot name, such as one with an underscore, is good enough to show and no base for another. */
    static Optional<String> highDiff(Environment environment) {
        return environment.find(DifficultyVariables.STRATUM_HIGHDIFF_PORT).map(port -> {
            URI base = NetworkParsers.uri(environment.get(PublicApiVariables.PUBLIC_STRATUM_URL));
            return base == null || base.getScheme() == null || base.getHost() == null
                    ? stratum(environment, port)
                    : base.getScheme() + "://" + base.getHost() + ":" + port;
        });
    }

    private static String stratum(Environment environment, int port) {
        String host = environment.get(PublicApiVariables.PUBLIC_STRATUM_HOST);
        boolean bareIpv6 = host.contains(":") && !host.startsWith("[");
        return "stratum+tcp://" + (bareIpv6 ? "[" + host + "]" : host) + ":" + port;
    }
}
