package org.prismpool.app.devnode;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.prismpool.app.devnode.fault.CallPoint;
import org.prismpool.app.devnode.fault.CallRecorder;
import org.prismpool.app.devnode.fault.Fault;
import org.prismpool.app.devnode.fault.FaultPlan;
import org.prismpool.app.devnode.fault.Gate;
import org.prismpool.app.devnode.rpc.RpcAnswer;
import org.prismpool.app.devnode.rpc.RpcMethods;

/**
 * Takes a call through its faults: latency, gates before the work, failures instead of it, the work itself, gates after it,
 * and what happens to the answer. A call without faults runs on the calling thread. Thread-safe.
 */
final class CallPipeline {

    private final RpcMethods methods;
    private final FaultPlan faults;
    private final CallRecorder recorder;
    private final NodeThreads threads;

    CallPipeline(RpcMethods methods, FaultPlan faults, CallRecorder recorder, NodeThreads threads) {
        this.methods = methods;
        this.faults = faults;
        this.recorder = recorder;
        this.threads = threads;
    }

    /** Never completes exceptionally, except when the node closes while a delayed call waits for its turn. */
    CompletableFuture<Exchange> run(String method, JsonNode params) {
        long number = recorder.begin(method, sha256(params.toString()));
        List<Fault> struck = faults.take(method);
        CompletableFuture<Exchange> exchange =
                struck.isEmpty() ? answer(method, params) : withFaults(method, params, struck);
        return exchange.whenComplete(
                (end, failure) -> recorder.end(number, failure == null ? end.outcome() : "node closed"));
    }

    private CompletableFuture<Exchange> answer(String method, JsonNode params) {
        return methods.call(method, params).thenApply(Exchange.Answered::new);
    }

    private CompletableFuture<Exchange> withFaults(String method, JsonNode params, List<Fault> struck) {
        CompletableFuture<Void> ready = delay(struck);
        for (Gate gate : gates(struck, CallPoint.BEFORE_PROCESSING)) {
            ready = ready.thenCompose(nothing -> gate.arrive());
        }
        Optional<Exchange> instead = insteadOfWork(struck);
        if (instead.isPresent()) {
            Exchange exchange = instead.get();
            return ready.thenApply(nothing -> exchange);
        }
        boolean already = ready.isDone();
        CompletableFuture<Exchange> worked = already
                ? answer(method, params)
                : ready.thenComposeAsync(nothing -> answer(method, params), threads.workers());
        for (Gate gate : gates(struck, CallPoint.AFTER_PROCESSING)) {
            worked = worked.thenCompose(done -> gate.arrive().thenApply(nothing -> done));
        }
        return worked.thenApply(done -> transport(struck, done));
    }

    private CompletableFuture<Void> delay(List<Fault> struck) {
        Duration total = Duration.ZERO;
        for (Fault fault : struck) {
            if (fault instanceof Fault.Latency latency) {
                long spread = latency.longest().minus(latency.shortest()).toNanos();
                long extra = spread == 0 ? 0 : ThreadLocalRandom.current().nextLong(spread + 1);
                total = total.plus(latency.shortest()).plusNanos(extra);
            }
        }
        CompletableFuture<Void> ready = new CompletableFuture<>();
        if (total.isZero()) {
            ready.complete(null);
        } else {
            threads.later(() -> ready.complete(null), total);
        }
        return ready;
    }

    private static List<Gate> gates(List<Fault> struck, CallPoint point) {
        return struck.stream()
                .filter(Fault.Hold.class::isInstance)
                .map(Fault.Hold.class::cast)
                .filter(hold -> hold.point() == point)
                .map(Fault.Hold::gate)
                .toList();
    }

    private static Optional<Exchange> insteadOfWork(List<Fault> struck) {
        for (Fault fault : struck) {
            if (fault instanceof Fault.RpcError error) {
                return Optional.of(new Exchange.Answered(new RpcAnswer.Failure(error.code(), error.message())));
            }
            if (fault instanceof Fault.RawAnswer raw) {
                return Optional.of(new Exchange.Raw(raw.status(), raw.contentType(), raw.body()));
            }
            if (fault instanceof Fault.Hang hang) {
                return Optional.of(new Exchange.Hung(hang.headersFirst()));
            }
            if (fault instanceof Fault.Drop drop && drop.point() == CallPoint.BEFORE_PROCESSING) {
                return Optional.of(new Exchange.Dropped());
            }
        }
        return Optional.empty();
    }

    private static Exchange transport(List<Fault> struck, Exchange done) {
        for (Fault fault : struck) {
            if (fault instanceof Fault.Drop) {
                return new Exchange.Dropped();
            }
            if (fault instanceof Fault.Drip drip && done instanceof Exchange.Answered answered) {
                return new Exchange.Dripped(answered.answer(), drip.interval());
            }
        }
        return done;
    }

    private static String sha256(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
