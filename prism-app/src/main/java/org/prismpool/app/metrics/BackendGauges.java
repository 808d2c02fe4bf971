package org.prismpool.app.metrics;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.metrics.MetricSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.audit.AuditStore;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.read.BlockCounts;
import org.prismpool.templates.rpc.NodeRpc;

/** Gauges that ask the ledger, the node or a disk; on the collector's thread, each with a deadline (spec 08 §6.1). */
public final class BackendGauges {

    private static final double UNREADABLE = -1;

    private final MetricFamilies families;
    private final Duration limit;
    private final MonotonicClock clock;

    /**
     * Creates the binding.
     *
     * @param families series of the catalogue of {@link UnfedFamilies#marked}
     * @param limit longest wait for one answer
     * @param clock monotonic clock
     */
    public BackendGauges(MetricFamilies families, Duration limit, MonotonicClock clock) {
        this.families = families;
        this.limit = limit;
        this.clock = clock;
    }

    /**
     * Binds the aggregates of the ledger; the last good values stay while it cannot be read.
     *
     * @param ledger whose rows are counted
     * @return source for the document
     */
    public MetricSource ledger(Ledger ledger) {
        return Reading.of("ledger", () -> show(ledger.reads().blockCounts(deadline("metrics-ledger-aggregate"))));
    }

    void show(BlockCounts counts) {
        families.gauge("persisted_blocks").set((double)
                Arrays.stream(ChainState.values()).mapToLong(counts::in).sum());
        families.gauge("inactive_pool_blocks").set((double) counts.in(ChainState.INACTIVE));
        families.gauge("reversed_pool_blocks").set((double) counts.in(ChainState.REVERSED));
        families.gauge("rejected_pool_blocks").set((double) counts.in(ChainState.REJECTED));
        families.gauge("owed_accounts").set((double) counts.owedAccounts());
    }

    /**
     * Binds the node's state of synchronisation.
     *
     * @param node asked
     * @return source for the document
     */
    public MetricSource initialDownload(NodeRpc node) {
        return asking(
                "node chain",
                "qbitd_initial_block_download",
                () -> node.getBlockchainInfo(deadline("metrics-blockchain-info"))
                        .initialDownload()
                        .map(loading -> loading ? 1 : 0)
                        .orElse(-1));
    }

    /**
     * Binds the node's number of peers.
     *
     * @param node asked
     * @return source for the document
     */
    public MetricSource peers(NodeRpc node) {
        return asking(
                "node peers", "qbitd_peers", () -> Math.toIntExact(node.getConnections(deadline("metrics-peers"))));
    }

    /**
     * Binds the spool of found blocks.
     *
     * @param files counts the files
     * @return source for the document
     */
    public MetricSource spool(IntSupplier files) {
        return asking("spool", "block_candidate_spool_files", files);
    }

    /**
     * Binds the audit folder.
     *
     * @param folder lists it: files and bytes by kind
     * @return source for the document
     */
    public MetricSource auditFolder(Supplier<Map<String, AuditStore.Usage>> folder) {
        return new Reading(
                "audit folder",
                () -> show(folder.get()),
                () -> families.gauge("audit_artifact_scan_error").set(1));
    }

    void show(Map<String, AuditStore.Usage> usage) {
        usage.forEach((kind, each) -> {
            families.gauge("audit_artifact_files", kind).set((double) each.files());
            families.gauge("audit_artifact_bytes", kind).set((double) each.bytes());
        });
        families.gauge("audit_artifact_scan_error").set(0);
    }

    private MetricSource asking(String owner, String family, IntSupplier question) {
        return new Reading(
                owner,
                () -> families.gauge(family).set(question.getAsInt()),
                () -> families.gauge(family).set(UNREADABLE));
    }

    private Deadline deadline(String operation) {
        return Deadline.after(limit, clock, operation);
    }
}
