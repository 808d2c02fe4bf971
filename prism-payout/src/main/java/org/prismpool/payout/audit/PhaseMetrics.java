package org.prismpool.payout.audit;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/** Times one build from input to output and renders the figures. For one thread. */
public final class PhaseMetrics implements BuildObserver {

    private static final double NANOS = 1e9;

    private final LongSupplier nanoTime;
    private final Map<BuildPhase, Long> phases = new EnumMap<>(BuildPhase.class);
    private long input;
    private long output;
    private long began;

    /**
     * Creates a stopwatch.
     *
     * @param nanoTime monotonic clock in nanoseconds
     */
    public PhaseMetrics(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The input is about to be read. */
    public void inputBegan() {
        began = nanoTime.getAsLong();
    }

    /** The input is read. */
    public void inputEnded() {
        input += nanoTime.getAsLong() - began;
    }

    /** The output is about to be written. */
    public void outputBegan() {
        began = nanoTime.getAsLong();
    }

    /** The output is written. */
    public void outputEnded() {
        output += nanoTime.getAsLong() - began;
    }

    @Override
    public void phaseBegan(BuildPhase phase) {
        began = nanoTime.getAsLong();
    }

    @Override
    public void phaseEnded(BuildPhase phase) {
        phases.merge(phase, nanoTime.getAsLong() - began, Long::sum);
    }

    /**
     * Renders the figures in seconds.
     *
     * @return a JSON object
     */
    public String toJson() {
        StringBuilder json = new StringBuilder("{\"input_deserialization_seconds\":")
                .append(seconds(input))
                .append(",\"phases_seconds\":{");
        String separator = "";
        for (Map.Entry<BuildPhase, Long> phase : phases.entrySet()) {
            json.append(separator)
                    .append('"')
                    .append(phase.getKey().text())
                    .append("\":")
                    .append(seconds(phase.getValue()));
            separator = ",";
        }
        return json.append("},\"output_serialization_seconds\":")
                .append(seconds(output))
                .append('}')
                .toString();
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.9f", nanos / NANOS);
    }
}
