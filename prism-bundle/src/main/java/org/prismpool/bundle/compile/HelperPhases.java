package org.prismpool.bundle.compile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Locale;
import org.prismpool.bundle.BuildPhase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the phase-metrics line that a helper writes to its diagnostics; a malformed one never fails a build. */
final class HelperPhases {

    private static final Logger LOG = LoggerFactory.getLogger(HelperPhases.class);
    private static final String PREFIX = "qbit-prism-build-phase-metrics ";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double NANOS = 1e9; // durations for a histogram, not money

    private HelperPhases() {}

    static void report(String diagnostics, CompileProgress progress) {
        diagnostics
                .lines()
                .filter(line -> line.startsWith(PREFIX))
                .forEach(line -> report(progress, line.substring(PREFIX.length())));
    }

    private static void report(CompileProgress progress, String json) {
        try {
            JsonNode phases = JSON.readTree(json).path("phases_seconds");
            for (BuildPhase phase : BuildPhase.values()) {
                JsonNode seconds = phases.path(phase.name().toLowerCase(Locale.ROOT));
                if (seconds.isNumber()) {
                    progress.phase(phase, (long) (seconds.doubleValue() * NANOS));
                }
            }
        } catch (JsonProcessingException malformed) {
            LOG.atDebug().setCause(malformed).log("helper phase metrics ignored");
        }
    }
}
