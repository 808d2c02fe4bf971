package org.prismpool.config.rule;

import static org.prismpool.config.variable.DifficultyVariables.STRATUM_HIGHDIFF_MAX_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_HIGHDIFF_MIN_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_HIGHDIFF_PORT;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_HIGHDIFF_SHARE_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_HIGHDIFF_START_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_SHARE_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF_MAX_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF_MIN_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF_START_DIFF;

import java.math.BigDecimal;
import java.util.List;
import org.prismpool.config.Environment;

/** Rules V1, V2, V4, H2 and H3: difficulties in order. */
final class DifficultyRules {

    private DifficultyRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.of(
                        "V1",
                        "vardiff minimum <= maximum",
                        DifficultyRules::range,
                        STRATUM_VARDIFF_MIN_DIFF,
                        STRATUM_VARDIFF_MAX_DIFF),
                Rule.of(
                        "V2",
                        "vardiff start within minimum and maximum; clamped outside production",
                        DifficultyRules::start,
                        STRATUM_VARDIFF_MIN_DIFF,
                        STRATUM_VARDIFF_START_DIFF,
                        STRATUM_VARDIFF_MAX_DIFF),
                Rule.of(
                        "V4",
                        "with vardiff off the share difficulty should be within minimum and maximum",
                        DifficultyRules::fixed,
                        STRATUM_VARDIFF,
                        STRATUM_SHARE_DIFF,
                        STRATUM_VARDIFF_MIN_DIFF,
                        STRATUM_VARDIFF_MAX_DIFF),
                Rule.of(
                        "H2",
                        "high-diff minimum <= start <= maximum",
                        DifficultyRules::highDiffStart,
                        STRATUM_HIGHDIFF_PORT,
                        STRATUM_HIGHDIFF_MIN_DIFF,
                        STRATUM_HIGHDIFF_START_DIFF,
                        STRATUM_HIGHDIFF_MAX_DIFF),
                Rule.of(
                        "H3",
                        "high-diff share difficulty within minimum and maximum",
                        DifficultyRules::highDiffShare,
                        STRATUM_HIGHDIFF_PORT,
                        STRATUM_HIGHDIFF_MIN_DIFF,
                        STRATUM_HIGHDIFF_SHARE_DIFF,
                        STRATUM_HIGHDIFF_MAX_DIFF));
    }

    private static boolean above(BigDecimal a, BigDecimal b) {
        return a.compareTo(b) > 0;
    }

    private static void range(Environment e, RuleReport report) {
        BigDecimal min = e.get(STRATUM_VARDIFF_MIN_DIFF);
        BigDecimal max = e.get(STRATUM_VARDIFF_MAX_DIFF);
        if (above(min, max)) {
            report.error(
                    "the minimum (" + min.toPlainString() + ") must be at most the maximum (" + max.toPlainString()
                            + ")",
                    STRATUM_VARDIFF_MIN_DIFF,
                    STRATUM_VARDIFF_MAX_DIFF,
                    STRATUM_SHARE_DIFF);
        }
    }

    private static void start(Environment e, RuleReport report) {
        BigDecimal min = e.get(STRATUM_VARDIFF_MIN_DIFF);
        BigDecimal start = e.get(STRATUM_VARDIFF_START_DIFF);
        BigDecimal max = e.get(STRATUM_VARDIFF_MAX_DIFF);
        // In production rule P6 refuses this; a range that is empty is V1's business.
        if (!above(min, max) && (above(min, start) || above(start, max))) {
            report.warning(
                    "the start difficulty is outside the range and becomes "
                            + start.max(min).min(max).toPlainString(),
                    STRATUM_VARDIFF_START_DIFF,
                    STRATUM_VARDIFF_MIN_DIFF,
                    STRATUM_VARDIFF_MAX_DIFF);
        }
    }

    private static void fixed(Environment e, RuleReport report) {
        BigDecimal share = e.get(STRATUM_SHARE_DIFF);
        boolean outside =
                above(e.get(STRATUM_VARDIFF_MIN_DIFF), share) || above(share, e.get(STRATUM_VARDIFF_MAX_DIFF));
        if (!e.get(STRATUM_VARDIFF) && outside) {
            report.warning(
                    "the fixed difficulty is outside the vardiff range",
                    STRATUM_SHARE_DIFF,
                    STRATUM_VARDIFF_MIN_DIFF,
                    STRATUM_VARDIFF_MAX_DIFF);
        }
    }

    private static void highDiffStart(Environment e, RuleReport report) {
        if (e.find(STRATUM_HIGHDIFF_PORT).isEmpty()) {
            return;
        }
        BigDecimal start = e.get(STRATUM_HIGHDIFF_START_DIFF);
        if (above(e.get(STRATUM_HIGHDIFF_MIN_DIFF), start)) {
            report.error(
                    "the first must be at most the second", STRATUM_HIGHDIFF_MIN_DIFF, STRATUM_HIGHDIFF_START_DIFF);
        }
        if (above(start, e.get(STRATUM_HIGHDIFF_MAX_DIFF))) {
            report.error(
                    "the first must be at most the second", STRATUM_HIGHDIFF_START_DIFF, STRATUM_HIGHDIFF_MAX_DIFF);
        }
    }

    private static void highDiffShare(Environment e, RuleReport report) {
        if (e.find(STRATUM_HIGHDIFF_PORT).isEmpty()) {
            return;
        }
        BigDecimal share = e.get(STRATUM_HIGHDIFF_SHARE_DIFF);
        if (above(e.get(STRATUM_HIGHDIFF_MIN_DIFF), share) || above(share, e.get(STRATUM_HIGHDIFF_MAX_DIFF))) {
            report.error(
                    "must be within the minimum and maximum of its listener",
                    STRATUM_HIGHDIFF_SHARE_DIFF,
                    STRATUM_HIGHDIFF_MIN_DIFF,
                    STRATUM_HIGHDIFF_MAX_DIFF);
        }
    }
}
