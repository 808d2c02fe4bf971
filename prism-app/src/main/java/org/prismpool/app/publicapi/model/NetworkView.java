package org.prismpool.app.publicapi.model;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.prismpool.app.publicapi.UpstreamUnavailableException;
import org.prismpool.app.publicapi.model.formula.CompactBits;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.ChainInfo;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the node for the state of the chain: once for all requests of the same two seconds, because a template is a large answer
 * and miner pages are many.
 *
 * <p>Only the chain's own state is needed; a node without a template or without a number of peers still has a page. Thread-safe;
 * blocks on the node until the caller's deadline. Source: spec 08 §7.7.
 */
public final class NetworkView {

    private static final Logger LOG = LoggerFactory.getLogger(NetworkView.class);
    private static final Duration LIFE = Duration.ofSeconds(2);
    private static final Duration OPTIONAL_CALL = Duration.ofSeconds(5);
    private static final String UNKNOWN_TIP = "0".repeat(64);

    private final NodeRpc node;
    private final Network network;
    private final MonotonicClock clock;
    private final AtomicReference<@Nullable Flight> latest = new AtomicReference<>(); // under way, or answered

    /**
     * Creates the view.
     *
     * @param node the node
     * @param network whose template rules are named
     * @param clock clock of the time that an answer serves
     */
    public NetworkView(NodeRpc node, Network network, MonotonicClock clock) {
        this.node = node;
        this.network = network;
        this.clock = clock;
    }

    private record Flight(CompletableFuture<NetworkState> answer, long startedNanos) {}

    /**
     * Returns the state of the chain, at most two seconds old.
     *
     * @param deadline end of all calls
     * @return the state
     * @throws UpstreamUnavailableException if the node does not say it or names no valid compact target
     */
    public NetworkState current(Deadline deadline) {
        while (true) {
            Flight seen = latest.get();
            if (seen != null && !over(seen)) {
                return await(seen, deadline);
            }
            Flight mine = new Flight(new CompletableFuture<>(), clock.nanoTime());
            if (latest.compareAndSet(seen, mine)) {
                return answer(mine, deadline);
            }
        }
    }

    /** Failures do not serve anybody who comes later. */
    private boolean over(Flight flight) {
        return flight.answer().isDone()
                && (flight.answer().isCompletedExceptionally()
                        || clock.nanoTime() - flight.startedNanos() >= LIFE.toNanos());
    }

    private NetworkState answer(Flight mine, Deadline deadline) {
        try {
            NetworkState state = ask(deadline);
            mine.answer().complete(state);
            return state;
        } catch (RuntimeException failed) {
            mine.answer().completeExceptionally(failed);
            throw failed;
        } finally {
            mine.answer().cancel(false); // of an error; nobody waits for an answer that never comes
        }
    }

    private static NetworkState await(Flight flight, Deadline deadline) {
        try {
            return flight.answer().get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException | CancellationException failed) {
            throw new UpstreamUnavailableException("another request's question to the node failed", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted while waiting for the node's answer");
        }
    }

    private NetworkState ask(Deadline deadline) {
        ChainInfo info;
        try {
            info = node.getShownBlockchainInfo(deadline);
        } catch (RpcException failed) {
            throw new UpstreamUnavailableException("the node does not tell the state of its chain", failed);
        }
        CompactBits bits = templateBits(deadline)
                .or(() -> info.bits().flatMap(CompactBits::of))
                .orElseThrow(() -> new UpstreamUnavailableException("the node names no valid compact target"));
        return new NetworkState(
                info.chain(),
                Math.max(0, first(info.blocks(), info.headers())),
                info.bestBlock().map(Hash256::displayHex).orElse(UNKNOWN_TIP),
                bits,
                info.initialDownload().orElse(false),
                peers(deadline));
    }

    private Optional<CompactBits> templateBits(Deadline deadline) {
        List<String> rules = network.templateRules();
        try {
            return CompactBits.of(node.getBlockTemplate(rules, deadline.within(OPTIONAL_CALL, "public-template"))
                    .path("bits")
                    .asText(""));
        } catch (RpcException tolerated) {
            LOG.debug("no template for public pages", tolerated);
            return Optional.empty(); // a node that still downloads has no template, but bits of its tip
        }
    }

    private long peers(Deadline deadline) {
        try {
            return Math.max(0, node.getConnections(deadline.within(OPTIONAL_CALL, "public-peers")));
        } catch (RpcException tolerated) {
            LOG.debug("no number of peers for public pages", tolerated);
            return 0;
        }
    }

    private static long first(OptionalLong blocks, OptionalLong headers) {
        return blocks.isPresent() ? blocks.getAsLong() : headers.orElse(0);
    }
}
