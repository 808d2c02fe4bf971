package org.prismpool.app.publicapi.route;

import org.prismpool.app.publicapi.cache.CacheClass;
import org.prismpool.app.publicapi.cache.CacheKey;
import org.prismpool.app.publicapi.cache.ResponseCache;

/**
 * What a public request leads to.
 *
 * @param name name of the route for logs, no part of the request in it
 * @param cacheClass how long its answer may be kept
 * @param key what makes another request the same
 * @param computation reads the answer
 */
record PublicRoute(String name, CacheClass cacheClass, CacheKey key, ResponseCache.Computation computation) {}
