package org.prismpool.app.publicapi.route;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.app.http.BadRequestException;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.app.publicapi.NotFoundException;
import org.prismpool.app.publicapi.PublicBody;
import org.prismpool.app.publicapi.PublicErrors;
import org.prismpool.app.publicapi.PublicModels;
import org.prismpool.app.publicapi.UpstreamUnavailableException;
import org.prismpool.app.publicapi.cache.CachePolicy;
import org.prismpool.app.publicapi.cache.CachedBody;
import org.prismpool.app.publicapi.cache.ResponseCache;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Everything under {@code /public/v1}: the route, the cache, the answer. Thread-safe.
 *
 * <p>It knows the ports of its models and nothing of a coordinator. Source: spec 08 §7.4 to §7.9.
 */
public final class PublicApi {

    /** A page that comes without numbers is better than one that does not come. */
    private static final Duration FIRST_PAINT = Duration.ofSeconds(5);

    private static final HttpQuery SUMMARY = HttpQuery.of(List.of("public", "v1", "pool-summary"), Map.of());

    private final PublicRouter router;
    private final PublicApiSettings settings;
    private final ResponseCache cache;
    private final Duration limit;
    private final MonotonicClock clock;
    private final FailureLog failures;

    /**
     * Creates the API with an empty cache.
     *
     * @param models what is shown
     * @param configuration the mining configuration
     * @param settings cache and headers
     * @param limit longest time of one computation, and of a wait for another request's
     * @param clock monotonic
     */
    public PublicApi(
            PublicModels models,
            MiningConfiguration configuration,
            PublicApiSettings settings,
            Duration limit,
            MonotonicClock clock) {
        this.router = new PublicRouter(models, configuration);
        this.settings = settings;
        this.cache = new ResponseCache(settings.limits(), clock);
        this.limit = limit;
        this.clock = clock;
        this.failures = new FailureLog(clock);
    }

    /**
     * Returns the endpoint that answers at once: what is in the cache, and what cannot be asked like that.
     *
     * @return the endpoint, to be asked before {@link #computed()}
     */
    public HttpEndpoint remembered() {
        return HttpEndpoint.fromMemory(query -> PublicRouter.covers(query) ? atOnce(query) : Optional.empty());
    }

    /**
     * Returns the endpoint that reads what is not in the cache.
     *
     * @return an endpoint that blocks on node and ledger
     */
    public HttpEndpoint computed() {
        return query -> PublicRouter.covers(query) ? Optional.of(answer(query)) : Optional.empty();
    }

    /**
     * Returns the document {@code /pool-summary}, for the first paint of a page.
     *
     * @return the document, empty if it cannot be had now
     * @throws InterruptedException if interrupted
     */
    public Optional<PublicBody> summary() throws InterruptedException {
        PublicRoute route = router.route(SUMMARY);
        try {
            return Optional.of(read(route, FIRST_PAINT.compareTo(limit) < 0 ? FIRST_PAINT : limit)
                    .body());
        } catch (RuntimeException unavailable) {
            failures.report(route.name(), unavailable);
            return Optional.empty();
        }
    }

    private Optional<HttpAnswer> atOnce(HttpQuery query) {
        try {
            PublicRoute route = router.route(query);
            CachePolicy policy = settings.policy(route.cacheClass());
            return policy.ttlSeconds() > 0
                    ? cache.fresh(route.key()).map(kept -> success(kept, policy))
                    : Optional.empty();
        } catch (BadRequestException bad) {
            return Optional.of(PublicErrors.of(400, bad.getMessage()));
        } catch (NotFoundException unknown) {
            return Optional.of(PublicErrors.of(404, unknown.getMessage()));
        }
    }

    private HttpAnswer answer(HttpQuery query) throws InterruptedException {
        PublicRoute route;
        try {
            route = router.route(query);
        } catch (BadRequestException bad) {
            return PublicErrors.of(400, bad.getMessage());
        } catch (NotFoundException unknown) {
            return PublicErrors.of(404, unknown.getMessage());
        }
        try {
            return success(read(route, limit), settings.policy(route.cacheClass()));
        } catch (NotFoundException unknown) {
            return PublicErrors.of(404, unknown.getMessage());
        } catch (UpstreamUnavailableException unavailable) {
            failures.report(route.name(), unavailable);
            return PublicErrors.of(503, "the node is not available");
        } catch (RuntimeException fault) { // of a read model, whatever its kind: nobody outside did wrong
            failures.report(route.name(), fault);
            return PublicErrors.of(500, "");
        }
    }

    private CachedBody read(PublicRoute route, Duration longest) throws InterruptedException {
        Deadline deadline = Deadline.after(longest, clock, route.name());
        int ttlSeconds = settings.policy(route.cacheClass()).ttlSeconds();
        return cache.get(route.key(), ttlSeconds, deadline, route.computation());
    }

    private HttpAnswer success(CachedBody answer, CachePolicy policy) {
        HttpAnswer success =
                new HttpAnswer(200, "application/json", answer.body().bytes(), policy.headers(answer.ageSeconds()));
        return settings.debugHeaders()
                ? success.withHeader("X-Prism-Public-Cache", answer.source().id())
                : success;
    }
}
