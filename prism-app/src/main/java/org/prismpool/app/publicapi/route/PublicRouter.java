package org.prismpool.app.publicapi.route;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.prismpool.app.http.BadRequestException;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.app.publicapi.NotFoundException;
import org.prismpool.app.publicapi.PublicModels;
import org.prismpool.app.publicapi.cache.CacheClass;
import org.prismpool.app.publicapi.cache.CacheKey;
import org.prismpool.app.publicapi.cache.ResponseCache;
import org.prismpool.app.publicapi.query.LeaderboardQuery;
import org.prismpool.app.publicapi.query.Page;
import org.prismpool.app.publicapi.query.SeriesQuery;
import org.prismpool.app.publicapi.query.WorkersQuery;

/**
 * Finds what a request under {@code /public/v1} asks for and checks its parameters; reads nothing. Thread-safe. Source: spec 08 §7.4,
 * §7.7.
 */
final class PublicRouter {

    private static final int PREFIX = 2; // public, v1

    private final PublicModels models;
    private final MiningConfiguration configuration;

    PublicRouter(PublicModels models, MiningConfiguration configuration) {
        this.models = models;
        this.configuration = configuration;
    }

    static boolean covers(HttpQuery query) {
        return query.segments().size() >= PREFIX
                && query.segments().subList(0, PREFIX).equals(List.of("public", "v1"));
    }

    /**
     * Finds the route.
     *
     * @throws NotFoundException if the path is none of the API
     * @throws BadRequestException if a parameter is invalid
     */
    PublicRoute route(HttpQuery query) {
        List<String> path = query.segments().subList(PREFIX, query.segments().size());
        if (path.isEmpty()) {
            throw unknown();
        }
        PublicParameters parameters = new PublicParameters(query);
        return switch (path.get(0)) {
            case "pool-summary" -> only(path, 1, aggregate(query, "pool-summary", models.pool()::summary));
            case "hashrate-series" -> {
                SeriesQuery series = sized(path, 1, parameters::series);
                yield aggregate(query, "hashrate-series", d -> models.pool().hashrateSeries(series, d));
            }
            case "leaderboard" -> {
                LeaderboardQuery rows = sized(path, 1, parameters::leaderboard);
                yield ordinary(query, "leaderboard", d -> models.pool().leaderboard(rows, d));
            }
            case "mining-configuration" ->
                only(
                        path,
                        1,
                        route(query, "mining-configuration", CacheClass.CONFIGURATION, d -> configuration.body()));
            case "blocks" -> blocks(query, path, parameters);
            case "fanouts" -> fanouts(query, path, parameters);
            case "artifacts" -> {
                String sha256 = sized(path, 2, () -> PublicParameters.hash(path.get(1), "artifact sha256"));
                yield route(
                        query,
                        "artifact",
                        CacheClass.ARTIFACT,
                        d -> models.blocks().artifact(sha256, d));
            }
            case "miners" -> miners(query, path, parameters);
            default -> throw unknown();
        };
    }

    private PublicRoute blocks(HttpQuery query, List<String> path, PublicParameters parameters) {
        if (path.size() == 1) {
            Page page = parameters.page();
            return ordinary(query, "blocks", d -> models.blocks().blocks(page, d));
        }
        if (path.size() == 3 && path.get(2).equals("settlement-artifacts")) {
            String hash = PublicParameters.hash(path.get(1), "hash");
            return ordinary(query, "settlement-artifacts", d -> models.blocks().settlementArtifacts(hash, d));
        }
        throw unknown();
    }

    private PublicRoute fanouts(HttpQuery query, List<String> path, PublicParameters parameters) {
        if (path.size() != 2) {
            throw unknown();
        }
        if (path.get(1).equals("pending")) {
            Page page = parameters.page();
            return ordinary(query, "pending-fanouts", d -> models.blocks().pendingFanouts(page, d));
        }
        String txid = PublicParameters.hash(path.get(1), "fanout txid");
        return ordinary(query, "fanout", d -> models.blocks().fanout(txid, d));
    }

    private PublicRoute miners(HttpQuery query, List<String> path, PublicParameters parameters) {
        if (path.size() < 2 || path.size() > 3) {
            throw unknown();
        }
        if (path.size() == 2) {
            String recipient = PublicParameters.recipient(path.get(1));
            return ordinary(query, "miner", d -> models.miners().miner(recipient, d));
        }
        switch (path.get(2)) {
            case "earnings" -> {
                String recipient = PublicParameters.recipient(path.get(1));
                Page page = parameters.page();
                return ordinary(query, "miner-earnings", d -> models.miners().earnings(recipient, page, d));
            }
            case "payouts" -> {
                String recipient = PublicParameters.recipient(path.get(1));
                Page page = parameters.page();
                return ordinary(query, "miner-payouts", d -> models.miners().payouts(recipient, page, d));
            }
            case "workers" -> {
                WorkersQuery workers = parameters.workers(PublicParameters.recipient(path.get(1)));
                return aggregate(query, "miner-workers", d -> models.miners().workers(workers, d));
            }
            default -> throw unknown();
        }
    }

    private static PublicRoute ordinary(HttpQuery query, String name, ResponseCache.Computation computation) {
        return route(query, name, CacheClass.ORDINARY, computation);
    }

    private static PublicRoute aggregate(HttpQuery query, String name, ResponseCache.Computation computation) {
        return route(query, name, CacheClass.AGGREGATE, computation);
    }

    private static PublicRoute route(
            HttpQuery query, String name, CacheClass cacheClass, ResponseCache.Computation computation) {
        return new PublicRoute(name, cacheClass, key(query), computation);
    }

    /** Hashes are the same in any case; names and recipients are not. */
    private static CacheKey key(HttpQuery query) {
        List<String> path = new ArrayList<>(query.segments());
        boolean named = path.size() > PREFIX + 1 && !path.get(PREFIX).equals("miners");
        if (named && PublicParameters.isHash(path.get(PREFIX + 1))) {
            path.set(PREFIX + 1, path.get(PREFIX + 1).toLowerCase(Locale.ROOT));
        }
        return new CacheKey(path, query.values());
    }

    private static PublicRoute only(List<String> path, int size, PublicRoute route) {
        return sized(path, size, () -> route);
    }

    private static <T> T sized(List<String> path, int size, Supplier<T> parsed) {
        if (path.size() != size) {
            throw unknown();
        }
        return parsed.get();
    }

    private static NotFoundException unknown() {
        return new NotFoundException("unknown public dashboard endpoint");
    }
}
