package org.prismpool.sharewriter.bench;

import java.util.Arrays;
import org.prismpool.sharewriter.postgres.BenchServer;

/**
 * What {@link LedgerBench} measured. Rates in shares per second, times in milliseconds.
 *
 * @param server the server and the plan of its window read
 * @param batch64 all ways with at most 64 shares a transaction
 * @param batch512 all ways with at most 512 shares a transaction
 * @param defaults the writer as it is set by default, against the reference's statement with its default of 64 and the bare
 *     insert with the writer's largest batch
 * @param commit one append, called directly, every 20 ms
 * @param paced one share through the writer, every 20 ms, in turn with the appends above
 * @param windowShares shares of the window, 0 if the part was left out
 * @param windowCold read of the whole window
 * @param windowTail read of what 100 new shares add to it
 */
public record LedgerReport(
        BenchServer server,
        Throughput batch64,
        Throughput batch512,
        Throughput defaults,
        Latency commit,
        Latency paced,
        int windowShares,
        double windowCold,
        double windowTail) {

    /**
     * Shares per second in the same run.
     *
     * @param reference through the reference's statement
     * @param writer through the writer, saturated
     * @param bare into the table and its indexes with nothing else done: what is possible
     */
    public record Throughput(double reference, double writer, double bare) {

        /**
         * Compares.
         *
         * @return the writer's rate as a multiple of the reference's
         */
        public double ratio() {
            return writer / reference;
        }

        /**
         * Compares with what is possible.
         *
         * @return the writer's rate as a part of the bare insert's
         */
        public double ofPossible() {
            return writer / bare;
        }
    }

    /**
     * Distribution of times in milliseconds.
     *
     * @param p50 median
     * @param p99 99th percentile
     * @param max largest
     */
    public record Latency(double p50, double p99, double max) {

        static Latency of(long[] nanos) {
            long[] sorted = nanos.clone();
            Arrays.sort(sorted);
            return new Latency(millis(sorted, 0.50), millis(sorted, 0.99), millis(sorted, 1.0));
        }

        private static double millis(long[] sorted, double quantile) {
            int index = (int) Math.ceil(quantile * sorted.length) - 1;
            return sorted[Math.max(0, index)] / 1e6;
        }
    }
}
