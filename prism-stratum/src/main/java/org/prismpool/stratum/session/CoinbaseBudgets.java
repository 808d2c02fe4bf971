package org.prismpool.stratum.session;

import java.util.EnumMap;
import java.util.Map;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.SharedWork;
import org.prismpool.stratum.StratumMetrics;
import org.prismpool.stratum.StratumMetrics.CoinbaseBudget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares each published coinbase with what listeners and devices can take (spec 02 §5.7): counts once per connection and
 * work, logs once per class and work. Thread-safe.
 */
final class CoinbaseBudgets {

    private static final Logger LOG = LoggerFactory.getLogger(CoinbaseBudgets.class);

    private final StratumMetrics metrics;
    private final Map<CoinbaseBudget, SharedWork> logged = new EnumMap<>(CoinbaseBudget.class); // guarded by itself
    private volatile int lastCoinbaseBytes;
    private volatile int lastNotifyBytes;

    CoinbaseBudgets(StratumMetrics metrics) {
        this.metrics = metrics;
    }

    /** Notes the first job of a work on one connection. */
    void check(ListenerConfig listener, AgentClasses.AgentClass agent, SharedWork work, int notifyBytes) {
        int size = work.coinbaseBytes();
        lastCoinbaseBytes = size;
        lastNotifyBytes = notifyBytes;
        if (listener.coinbaseBudgetBytes() > 0 && size > listener.coinbaseBudgetBytes()) {
            exceeded(CoinbaseBudget.LISTENER, listener.coinbaseBudgetBytes(), work, size);
        }
        if (size > agent.bytes()) {
            exceeded(agent.budget(), agent.bytes(), work, size);
        }
    }

    int lastCoinbaseBytes() {
        return lastCoinbaseBytes;
    }

    int lastNotifyBytes() {
        return lastNotifyBytes;
    }

    private void exceeded(CoinbaseBudget budget, int limit, SharedWork work, int size) {
        metrics.coinbaseBudgetExceeded(budget);
        synchronized (logged) {
            if (logged.put(budget, work) == work) {
                return;
            }
        }
        LOG.atWarn()
                .addKeyValue("class", budget)
                .addKeyValue("bytes", size)
                .addKeyValue("limit", limit)
                .log("coinbase exceeds a size budget");
    }
}
