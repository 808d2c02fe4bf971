package org.prismpool.app.bench.jobs;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.ShareLedger;
import org.prismpool.sharewriter.balance.PriorBalances;
import org.prismpool.sharewriter.block.ReorgRows;
import org.prismpool.sharewriter.window.WindowReader;

/**
 * Gives the calls of a ledger that a refresh makes a least time. What the ledger in memory needs is part of it: it stands in
 * for a database. Stateless.
 */
final class SlowLedger {

    private SlowLedger() {}

    static UnaryOperator<Ledger> with(Latencies latencies, InjectedWaits waits) {
        return ledger -> {
            Map<String, Object> views = Map.of(
                    "windows",
                            slow(
                                    WindowReader.class,
                                    ledger.windows(),
                                    Map.of("snapshot", latencies.snapshot(), "delta", latencies.snapshot()),
                                    waits),
                    "balances",
                            slow(
                                    PriorBalances.class,
                                    ledger.balances(),
                                    Map.of("current", latencies.balances()),
                                    waits),
                    "reorg",
                            slow(
                                    ReorgRows.class,
                                    ledger.reorg(),
                                    Map.of("watched", latencies.reorgWatch(), "matureUpTo", latencies.markMature()),
                                    waits),
                    "shares", slow(ShareLedger.class, ledger.shares(), Map.of("totals", latencies.stats()), waits));
            return proxy(Ledger.class, (method, arguments) -> {
                Object view = views.get(method.getName());
                return view != null ? view : call(ledger, method, arguments);
            });
        };
    }

    private static <T> T slow(Class<T> port, T target, Map<String, Duration> latencies, InjectedWaits waits) {
        return proxy(port, (method, arguments) -> {
            Duration latency = latencies.getOrDefault(method.getName(), Duration.ZERO);
            long began = System.nanoTime();
            Object answer = call(target, method, arguments);
            if (!latency.isZero()) {
                waits.await(began, latency);
            }
            return answer;
        });
    }

    /** What a call of a proxied port does. */
    @FunctionalInterface
    private interface Call {
        Object invoke(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> port, Call call) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(),
                new Class<?>[] {port},
                (self, method, arguments) -> call.invoke(method, arguments == null ? new Object[0] : arguments)));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause() == null ? failed : failed.getCause();
        }
    }
}
