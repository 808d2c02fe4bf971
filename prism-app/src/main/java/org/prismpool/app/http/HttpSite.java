package org.prismpool.app.http;

import java.util.List;

/**
 * What a listener serves.
 *
 * @param endpoints asked in order, the immediate ones first; the first that knows the path answers
 * @param zones parts of the paths with rules of their own, the first that covers a path holds; the rest is
 *     {@linkplain HttpZone#PRIVATE private}
 */
public record HttpSite(List<HttpEndpoint> endpoints, List<HttpZone> zones) {

    /** Copies both. */
    public HttpSite {
        endpoints = List.copyOf(endpoints);
        zones = List.copyOf(zones);
    }
}
