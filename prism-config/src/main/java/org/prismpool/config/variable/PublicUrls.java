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
        return Optional.of("stratum+tcp://" + environment.get(PublicApiVariables.PUBLIC_STRATUM_HOST) + ":"
                + environment.get(StratumVariables.STRATUM_PORT));
    }

    static Optional<String> highDiff(Environment environment) {
        return environment.find(DifficultyVariables.STRATUM_HIGHDIFF_PORT).map(port -> {
            URI base = URI.create(environment.get(PublicApiVariables.PUBLIC_STRATUM_URL));
            return base.getScheme() + "://" + base.getHost() + ":" + port;
        });
    }
}
