package org.prismpool.app.composition;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.http.HttpListener;
import org.prismpool.app.publicapi.serve.PublicSite;
import org.prismpool.lifecycle.metrics.MetricFamilies;

/** The public API in a coordinator: what it serves, and the listener that serves nothing else (spec 08 §7.1). */
final class PublicHttp {

    private static final String REFUSALS = "public_http_rejections_total";

    private PublicHttp() {}

    /**
     * Builds what is served, on the private listener too.
     *
     * @param owners whose ledger, node and audit files are shown
     * @param families of the metrics document
     * @return the site
     */
    static PublicSite site(PoolOwners owners, MetricFamilies families) {
        PoolContext context = owners.context;
        Optional<Integer> stratumPort =
                owners.stratum.port("default").stream().boxed().findFirst();
        return new PublicParts(context.ledger(), context.node(), context.audit()::bundle)
                .site(
                        context.environment(),
                        stratumPort,
                        new PublicSite.Refusals(
                                families.counter(REFUSALS, "rate_limited")::increment,
                                families.counter(REFUSALS, "busy")::increment),
                        context.clock());
    }

    /**
     * Starts the public listener, if an address is configured for it.
     *
     * @param site what it serves
     * @param options may name the port
     * @param progress told where it listens
     * @return the listener, to be closed by the caller; empty if none is configured
     * @throws StartFailure if it cannot be bound
     */
    static Optional<HttpListener> start(PublicSite site, CoordinatorOptions options, Consumer<String> progress)
            throws StartFailure {
        Optional<HttpListener> configured = site.listener(options.publicPort());
        if (configured.isPresent()) {
            HttpListener listener = configured.get();
            try {
                listener.start();
            } catch (IOException failed) {
                throw new StartFailure(
                        failed.getMessage() + "; check PRISM_PUBLIC_API_BIND and PRISM_PUBLIC_API_PORT", failed);
            }
            progress.accept("http: public API on port " + listener.port());
        }
        return configured;
    }
}
