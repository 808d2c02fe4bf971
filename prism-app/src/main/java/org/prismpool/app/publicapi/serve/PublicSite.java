package org.prismpool.app.publicapi.serve;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.prismpool.app.dashboard.DashboardEndpoint;
import org.prismpool.app.dashboard.FirstPaint;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpListener;
import org.prismpool.app.http.HttpSite;
import org.prismpool.app.http.HttpZone;
import org.prismpool.app.publicapi.PublicModels;
import org.prismpool.app.publicapi.admission.AddressLimiter;
import org.prismpool.app.publicapi.admission.ClientLimit;
import org.prismpool.app.publicapi.admission.CrossOrigin;
import org.prismpool.app.publicapi.admission.PageZone;
import org.prismpool.app.publicapi.admission.PublicZone;
import org.prismpool.app.publicapi.route.MiningConfiguration;
import org.prismpool.app.publicapi.route.PublicApi;
import org.prismpool.app.publicapi.route.PublicApiSettings;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.PublicApiVariables;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * What the public may see: {@code /public/v1} and the page of the pool, with one cache and one limiter for all listeners that serve it.
 *
 * <p>Needs no coordinator: settings, models and clocks are enough. Thread-safe.
 */
public final class PublicSite {

    /**
     * Told of refused requests; thread-safe, must not block.
     *
     * @param rateLimited one more than its client may send
     * @param busy one more than can be answered at a time
     */
    public record Refusals(Runnable rateLimited, Runnable busy) {}

    private final Environment environment;
    private final Refusals refusals;
    private final PublicApi api;
    private final List<HttpZone> zones;
    private final AnswerLayer layer;

    /**
     * Creates the site.
     *
     * @param environment values without errors
     * @param models what is shown
     * @param configuration the mining configuration
     * @param limit longest time of one answer
     * @param clock monotonic
     * @param refusals told of refused requests
     */
    public PublicSite(
            Environment environment,
            PublicModels models,
            MiningConfiguration configuration,
            Duration limit,
            MonotonicClock clock,
            Refusals refusals) {
        this.environment = environment;
        this.refusals = refusals;
        this.api = new PublicApi(models, configuration, PublicApiSettings.of(environment), limit, clock);
        this.layer = AnswerLayer.NONE;
        ClientLimit clients = new ClientLimit(
                new AddressLimiter(
                        environment.get(PublicApiVariables.PUBLIC_RATE_LIMIT_PER_SECOND),
                        environment.get(PublicApiVariables.PUBLIC_RATE_LIMIT_BURST),
                        AddressLimiter.ADDRESSES,
                        clock),
                refusals.rateLimited());
        CrossOrigin crossOrigin = new CrossOrigin(environment.get(PublicApiVariables.PUBLIC_CORS_ORIGINS));
        this.zones = List.of(new PublicZone(clients, crossOrigin), new PageZone(clients));
    }

    private PublicSite(PublicSite site, AnswerLayer layer) {
        this.environment = site.environment;
        this.refusals = site.refusals;
        this.api = site.api;
        this.zones = site.zones;
        this.layer = layer;
    }

    /**
     * Returns the same site behind a layer.
     *
     * @param other what may change its answers
     * @return a site with the same cache and limiter
     */
    public PublicSite through(AnswerLayer other) {
        return new PublicSite(this, other);
    }

    /**
     * Adds the public paths to the private ones of another listener.
     *
     * @param others endpoints of that listener; the page shows what {@code /healthz} and {@code /metrics} of them say
     * @return all of it
     */
    public HttpSite beside(List<HttpEndpoint> others) {
        return site(others, true);
    }

    private HttpSite site(List<HttpEndpoint> others, boolean operators) {
        List<HttpEndpoint> endpoints = new ArrayList<>(others);
        endpoints.add(layer.remembered(api.remembered()));
        endpoints.add(layer.computed(api.computed()));
        if (environment.get(PublicApiVariables.DASHBOARD_ENABLED)) {
            FirstPaint paint = new FirstPaint(api::summary, environment.get(PublicApiVariables.PUBLIC_POOL_NAME));
            endpoints.add(new DashboardEndpoint(paint, operators));
        }
        return new HttpSite(endpoints, zones);
    }

    /**
     * Makes the listener that serves the public paths and nothing else.
     *
     * @param port port instead of the configured one; 0 takes a free port
     * @return the listener, not yet started; empty if none is configured
     */
    public Optional<HttpListener> listener(Optional<Integer> port) {
        return environment
                .find(PublicApiVariables.PUBLIC_API_BIND)
                .filter(bind -> !bind.isEmpty())
                .map(bind -> new HttpListener(
                        "prism-public-http",
                        bind,
                        port.orElseGet(() -> environment.get(PublicApiVariables.PUBLIC_API_PORT)),
                        site(List.of(), false),
                        refusals.busy()));
    }
}
