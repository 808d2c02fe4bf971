package org.prismpool.stratum.vardiff;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * What the difficulty memory knew.
 *
 * @param difficulty difficulty to adopt, or empty
 * @param outcome why
 */
public record Recall(Optional<BigDecimal> difficulty, ResumeOutcome outcome) {

    static Recall nothing(ResumeOutcome outcome) {
        return new Recall(Optional.empty(), outcome);
    }

    static Recall of(BigDecimal difficulty, ResumeOutcome outcome) {
        return new Recall(Optional.of(difficulty), outcome);
    }
}
