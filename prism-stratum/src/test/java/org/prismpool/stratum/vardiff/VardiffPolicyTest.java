package org.prismpool.stratum.vardiff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vectors and traces of spec 02 §8.4 and §8.5. */
class VardiffPolicyTest {

    private static final VardiffPolicy STEP =
            new VardiffPolicy(DifficultyRange.of("0.01", "1", "1024"), VardiffPace.of("15", "60", "4", "4", "1", "0"));
    private static final VardiffPolicy DEFAULTS =
            new VardiffPolicy(DifficultyRange.of("1", "4", "1024"), VardiffPace.defaults());
    private static final Optional<BigDecimal> NONE = Optional.empty();

    @ParameterizedTest
    @CsvSource({
        "2, 24, 60, 6",
        "2, 200, 60, 8",
        "2, 0, 90, 0.5",
        "0.02, 0, 90, 0.01",
        "512, 51200, 60, 1024",
        "8, 80, 60, 20",
    })
    void oneStepWithoutSmoothing(BigDecimal desired, BigDecimal work, BigDecimal elapsed, BigDecimal next) {
        assertClose(STEP.decide(desired, NONE, work, elapsed).next(), next);
    }

    @ParameterizedTest
    @CsvSource({"119, false", "120, true", "80, true", "81, false"})
    void aChangeOfExactlyTheToleranceIsSent(BigDecimal goal, boolean sent) {
        VardiffPolicy policy = new VardiffPolicy(
                DifficultyRange.of("0.01", "1", "1024"), VardiffPace.of("15", "15", "4", "4", "1", "0.20"));

        assertThat(policy.decide(new BigDecimal(100), NONE, goal, new BigDecimal(15))
                        .retarget())
                .isEqualTo(sent);
    }

    @ParameterizedTest
    @CsvSource({
        "4, , 28, 90, 4.666666666666666666666666667, false",
        "4, , 32, 90, 5.333333333333333333333333333, true",
        "4, , 16, 80, 3, true",
        "4, 10, 24, 90, 7.6, true",
        "1000, , 100000, 90, 1024, false",
        "4, , 4, 100000, 1, true",
    })
    void oneStepWithTheDefaults(
            BigDecimal desired,
            BigDecimal previous,
            BigDecimal work,
            BigDecimal elapsed,
            BigDecimal next,
            boolean sent) {
        VardiffStep step = DEFAULTS.decide(desired, Optional.ofNullable(previous), work, elapsed);

        assertClose(step.next(), next);
        assertThat(step.retarget()).isEqualTo(sent);
    }

    @Test
    void aSteadyMinerReachesItsDifficultyInTwoSteps() {
        Trace trace = new Trace(DEFAULTS, "4");
        trace.window("120", "90", "20", "20", "16", true);
        trace.window("128", "96", "20", "20", "20", true);
        trace.window("120", "90", "20", "20", "20", false);
        trace.window("120", "90", "20", "20", "20", false);
    }

    @Test
    void aStrongMinerClimbsByTheLargestStep() {
        Trace trace = new Trace(DEFAULTS, "4");
        trace.window("2400", "90", "400", "400", "16", true);
        trace.window("2400", "90", "400", "400", "64", true);
        trace.window("2432", "91.2", "400", "400", "256", true);
        trace.window("2560", "96", "400", "400", "400", true);
        trace.window("2400", "90", "400", "400", "400", false);
    }

    @Test
    void anUnsteadyMinerIsSmoothed() {
        Trace trace = new Trace(DEFAULTS, "4");
        trace.window("40", "100", "6", "6", "6", true);
        trace.window("18", "90", "3", "4.8", "4.8", false);
        trace.window("12", "100", "1.8", "3.6", "3.6", true);
        trace.window("18", "90", "3", "3.36", "3.36", false);
    }

    @Test
    void theSmallestStartClimbsAsWritten() {
        VardiffPolicy tiny =
                new VardiffPolicy(DifficultyRange.of("0.000000001", "0.000000001", "1024"), VardiffPace.defaults());
        Trace trace = new Trace(tiny, "0.000000001");
        trace.window("0.00000018", "90", "3e-8", "3e-8", "4e-9", true);
        trace.window("0.00000072", "90", "1.2e-7", "6.6e-8", "1.6e-8", true);
        trace.window("0.00000288", "90", "4.8e-7", "2.316e-7", "6.4e-8", true);
        trace.window("0.00001152", "90", "1.92e-6", "9.0696e-7", "2.56e-7", true);
        trace.window("0.00004608", "90", "7.68e-6", "3.616176e-6", "1.024e-6", true);
    }

    @Test
    void theLargeLaneClimbsAsWritten() {
        VardiffPolicy large = new VardiffPolicy(
                DifficultyRange.of("1024", "16384", "4294967296"),
                VardiffPace.of("15", "300", "4", "4", "0.4", "0.25"));
        Trace trace = new Trace(large, "16384");
        trace.window("83886080", "300", "4194304", "4194304", "65536", true);
        trace.window("83886080", "300", "4194304", "4194304", "262144", true);
        trace.window("83886080", "300", "4194304", "4194304", "1048576", true);
        trace.window("83886080", "300", "4194304", "4194304", "4194304", true);
        trace.window("83886080", "300", "4194304", "4194304", "4194304", false);
    }

    @Test
    void silenceStepsDownToTheMinimumAndStops() {
        BigDecimal desired = new BigDecimal(16);
        for (String next : new String[] {"4", "1"}) {
            VardiffStep step = DEFAULTS.decide(desired, NONE, BigDecimal.ZERO, new BigDecimal(90));
            assertThat(step.next()).isEqualByComparingTo(next);
            assertThat(step.retarget()).isTrue();
            assertThat(step.estimate()).isEmpty();
            desired = step.next();
        }
        assertThat(DEFAULTS.decide(desired, NONE, BigDecimal.ZERO, new BigDecimal(90))
                        .retarget())
                .isFalse();
    }

    @Test
    void aPersonalMinimumHoldsAgainstSilence() {
        VardiffPolicy personal = DEFAULTS.personal(new BigDecimal(256), new BigDecimal(256));

        assertThat(personal.decide(new BigDecimal(256), NONE, BigDecimal.ZERO, new BigDecimal(90))
                        .retarget())
                .isFalse();
    }

    @Test
    void impossibleBoundsAreRefused() {
        assertThatThrownBy(() -> DifficultyRange.of("2", "1", "1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DifficultyRange.of("0", "1", "1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> VardiffPace.of("15", "90", "0.5", "4", "0.4", "0.25"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static void assertClose(BigDecimal actual, BigDecimal expected) {
        BigDecimal error = actual.subtract(expected).abs().divide(expected, MathContext.DECIMAL64);
        assertThat(error).as("%s against %s", actual, expected).isLessThanOrEqualTo(new BigDecimal("1e-12"));
    }

    /** A miner's windows one after the other; what is sent becomes the desired difficulty. */
    private static final class Trace {
        private final VardiffPolicy policy;
        private BigDecimal desired;
        private Optional<BigDecimal> estimate = Optional.empty();

        Trace(VardiffPolicy policy, String start) {
            this.policy = policy;
            this.desired = new BigDecimal(start);
        }

        void window(String work, String elapsed, String observed, String estimated, String next, boolean sent) {
            VardiffStep step = policy.decide(desired, estimate, new BigDecimal(work), new BigDecimal(elapsed));
            assertClose(step.observed().orElseThrow(), new BigDecimal(observed));
            assertClose(step.estimate().orElseThrow(), new BigDecimal(estimated));
            assertClose(step.next(), new BigDecimal(next));
            assertThat(step.retarget()).isEqualTo(sent);
            estimate = step.estimate();
            desired = sent ? step.next() : desired;
        }
    }
}
