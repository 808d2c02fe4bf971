package org.prismpool.stratum.bench;

import java.util.Locale;

/**
 * Figures of one run.
 *
 * @param submitsPerSecond acknowledged submits per second, of all submitters together
 * @param submitP50Micros median time from sending a submit to its answer
 * @param submitP99Micros 99th percentile of it
 * @param bytesPerIdleConnection heap of the server for each subscribed and authorized connection
 * @param stormServed connections of the storm that got their first job
 * @param stormFailed connections of the storm that were refused or closed
 * @param connectionsHeld connections open at the same time
 * @param stormFirstJobP99Millis 99th percentile of the time from connect to the first job
 * @param fanoutLastMillis time until the last healthy reader had a new job, the median of several rounds
 * @param fanoutWorstMillis the slowest of those rounds
 * @param fanoutServerMillis processor time of the server's event loops in the median round, of all processors together
 * @param fanoutClientsMillis processor time that the clients took from the same processors in that round
 */
public record BenchReport(
        double submitsPerSecond,
        double submitP50Micros,
        double submitP99Micros,
        long bytesPerIdleConnection,
        int stormServed,
        int stormFailed,
        int connectionsHeld,
        double stormFirstJobP99Millis,
        double fanoutLastMillis,
        double fanoutWorstMillis,
        double fanoutServerMillis,
        double fanoutClientsMillis) {

    /**
     * Returns the figures as text.
     *
     * @return one line for each figure
     */
    public String text() {
        return String.format(
                Locale.ROOT,
                """
                submits per second          %12.0f
                submit p50 / p99            %12.0f us / %.0f us
                heap per idle connection    %12d bytes
                storm served / failed       %12d / %d
                storm first job p99         %12.1f ms
                connections held            %12d
                fan-out, last healthy       %12.1f ms (slowest round %.1f ms)
                fan-out, processor time     %12.1f ms server / %.1f ms clients
                """,
                submitsPerSecond,
                submitP50Micros,
                submitP99Micros,
                bytesPerIdleConnection,
                stormServed,
                stormFailed,
                stormFirstJobP99Millis,
                connectionsHeld,
                fanoutLastMillis,
                fanoutWorstMillis,
                fanoutServerMillis,
                fanoutClientsMillis);
    }
}
