package org.prismpool.config.variable;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.prismpool.config.Secret;

/** Parsers of networks, origins and node addresses. */
final class NetworkParsers {

    private static final Pattern IPV4 = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private NetworkParsers() {}

    static Parser<String> cidr() {
        return new SimpleParser<>("CIDR", "address/prefix", text -> {
            int slash = text.indexOf('/');
            String address = slash < 0 ? text : text.substring(0, slash);
            boolean v4 = IPV4.matcher(address).matches();
            if ((!v4 && !IPV6.matcher(address).matches())
                    || !prefixFits(slash < 0 ? null : text.substring(slash + 1), v4)) {
                throw ParseProblem.malformed("must be a network such as 10.0.0.0/8 or fd00::/8");
            }
            return text;
        });
    }

    private static boolean prefixFits(@Nullable String prefix, boolean v4) {
        return prefix == null || (prefix.matches("[0-9]{1,3}") && Integer.parseInt(prefix) <= (v4 ? 32 : 128));
    }

    static Parser<String> origin() {
        return new SimpleParser<>("origin", "* or scheme://host[:port]", text -> {
            URI uri = uri(text);
            boolean isOrigin = uri != null
                    && uri.getScheme() != null
                    && uri.getHost() != null
                    && (uri.getRawPath() == null || uri.getRawPath().isEmpty())
                    && uri.getRawQuery() == null;
            if (!text.equals("*") && !isOrigin) {
                throw ParseProblem.malformed("must be * or origins of the form scheme://host[:port]");
            }
            return text;
        });
    }

    static Parser<Secret> nodeUrl() {
        return new SimpleParser<>("node URL", "http://user:password@host:port", text -> {
            URI uri = uri(text);
            if (uri == null || !"http".equals(uri.getScheme()) || uri.getHost() == null || uri.getPort() < 1) {
                throw ParseProblem.malformed("must be of the form http://user:password@host:port");
            }
            return Secret.of(text);
        });
    }

    static @Nullable URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException malformed) {
            return null;
        }
    }
}
