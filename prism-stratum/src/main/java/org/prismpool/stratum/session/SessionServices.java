package org.prismpool.stratum.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.StratumMetrics;
import org.prismpool.stratum.share.DuplicateIndex;
import org.prismpool.stratum.vardiff.DifficultyMemory;
import org.prismpool.templates.job.BlockAssembler;

/** What all sessions of one server share. Thread-safe. */
public final class SessionServices {

    final StratumConfig config;
    final SessionPorts ports;
    final DuplicateIndex duplicates;
    final DifficultyMemory memory;
    final Usernames usernames;
    final WorkerLabels labels;
    final JobNumbers jobNumbers;
    final AgentClasses agents = new AgentClasses();
    final CoinbaseBudgets budgets;
    final AtomicBoolean clearedBitsLogged = new AtomicBoolean();
    /** One assembler for each event loop: its buffers are too large to keep one for each session. */
    final ThreadLocal<BlockAssembler> assembler = ThreadLocal.withInitial(BlockAssembler::new);

    /** Newest stamp of any session: most sessions of a fan-out want the same. Any loop may replace it. */
    volatile JobStamper.@Nullable Stamped lastStamped;

    private final Map<String, AcceptRate> rates = new ConcurrentHashMap<>();

    /**
     * Creates the shared parts of a server.
     *
     * @param config its configuration
     * @param ports its ports
     */
    public SessionServices(StratumConfig config, SessionPorts ports) {
        this.config = config;
        this.ports = ports;
        this.duplicates = new DuplicateIndex(config.shares().duplicateCapacity());
        this.memory = new DifficultyMemory(config.difficulty().resume());
        this.usernames = new Usernames(config.connections().maxPerUsername());
        this.labels = new WorkerLabels(config.identity().workerLabels());
        this.jobNumbers = new JobNumbers(config.jobs().bootId());
        this.budgets = new CoinbaseBudgets(ports.metrics());
        long now = ports.clock().nanoTime();
        config.listeners().forEach(listener -> rates.put(listener.name(), new AcceptRate(now)));
    }

    /**
     * Returns how many difficulties are remembered.
     *
     * @return zero or more
     */
    public int rememberedDifficulties() {
        return memory.size();
    }

    /**
     * Returns the size of the last stamped coinbase.
     *
     * @return bytes of coinb1 + coinb2, 0 before the first job
     */
    public int coinbaseBytes() {
        return budgets.lastCoinbaseBytes();
    }

    /**
     * Returns the size of the last stamped job's notify line.
     *
     * @return bytes, 0 before the first job
     */
    public int notifyBytes() {
        return budgets.lastNotifyBytes();
    }

    /**
     * Returns the accepted shares per second of a listener over the last minute.
     *
     * @param listener its name
     * @return zero or more
     */
    public double acceptedPerSecond(String listener) {
        AcceptRate rate = rates.get(listener);
        return rate == null ? 0 : rate.perSecond(now());
    }

    void countAccepted(String listener) {
        AcceptRate rate = rates.get(listener);
        if (rate != null) {
            rate.count(now());
        }
    }

    long now() {
        return ports.clock().nanoTime();
    }

    StratumMetrics metrics() {
        return ports.metrics();
    }
}
