package org.prismpool.app.bench.jobs;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was measured.
 *
 * @param joined first jobs of the clients, before any tip change
 * @param flips tip changes
 * @param herd first arrival and return of the herd
 * @param storm storm in the moment of a tip change
 * @param templateCalls {@code getblocktemplate} calls during the tip changes
 * @param totals sums over the measured tip changes, from the metrics page: by family and label value
 */
record JobsResult(
        WireClients.Joined joined,
        List<Flip> flips,
        Optional<Herd> herd,
        Optional<Storm> storm,
        long templateCalls,
        Map<String, Map<String, Double>> totals) {

    JobsResult {
        flips = List.copyOf(flips);
        totals = Map.copyOf(totals);
    }

    /**
     * Many connections that come, drop at once and come back at once, several times.
     *
     * @param arrival the first time, on a pool that has just started
     * @param comebacks the later times
     */
    record Herd(WireClients.Joined arrival, List<WireClients.Joined> comebacks) {

        Herd {
            comebacks = List.copyOf(comebacks);
        }

        int lost() {
            return arrival.lost()
                    + comebacks.stream().mapToInt(WireClients.Joined::lost).sum();
        }

        WireClients.Joined last() {
            return comebacks.get(comebacks.size() - 1);
        }
    }

    /**
     * Many connections that come in the moment of a tip change.
     *
     * @param joined how they fared
     * @param admissionNanos from the start of the refresh to the admission of its build, on average
     * @param calmAdmissionNanos the same for the tip change just before the storm
     * @param flip the tip change as the settled clients saw it
     */
    record Storm(WireClients.Joined joined, long admissionNanos, long calmAdmissionNanos, Flip flip) {}
}
