package org.prismpool.app.http;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a request before its query is parsed.
 *
 * @param method HTTP method as sent
 * @param segments path segments, percent-decoded after splitting, or as sent if they cannot be decoded
 * @param client address that the connection comes from
 * @param origin value of the {@code Origin} header
 */
public record HttpHead(String method, List<String> segments, InetAddress client, Optional<String> origin) {

    /** Copies the segments. */
    public HttpHead {
        segments = List.copyOf(segments);
    }
}
