package org.prismpool.stratum.vardiff;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Spec 02 §8.7. */
class DifficultyMemoryTest {

    private static final long SECOND = 1_000_000_000L;
    private static final DifficultyRange RANGE = DifficultyRange.of("1024", "16384", "4294967296");

    private final DifficultyMemory memory = new DifficultyMemory(ResumePolicy.defaults());

    @Test
    void aReconnectResumesAtTheRememberedDifficulty() {
        record("262144", true, 0);

        Recall recall = recall(10);
        assertThat(recall.outcome()).isEqualTo(ResumeOutcome.RESUMED);
        assertThat(recall.difficulty()).contains(new BigDecimal("262144"));
    }

    @Test
    void aHugeDifficultyIsCappedByTheStart() {
        record("1e15", true, 0);

        Recall recall = recall(10);
        assertThat(recall.outcome()).isEqualTo(ResumeOutcome.CLAMPED);
        assertThat(recall.difficulty().orElseThrow()).isEqualByComparingTo("16777216");
    }

    @Test
    void aDifficultyBelowTheStartIsAdoptedAsItIs() {
        record("2048", true, 0);

        assertThat(recall(1).difficulty()).contains(new BigDecimal("2048"));
    }

    @Test
    void anotherListenerKnowsNothing() {
        record("262144", true, 0);

        assertThat(memory.recall("other", "user", RANGE, SECOND).outcome()).isEqualTo(ResumeOutcome.MISS);
    }

    @Test
    void silentReconnectsDoNotKeepAnOldDifficultyAlive() {
        record("262144", true, 0);
        for (long at : new long[] {300, 600, 900}) {
            assertThat(recall(at).outcome()).as("at %s", at).isEqualTo(ResumeOutcome.RESUMED);
            record("262144", false, at);
        }

        assertThat(recall(1200).outcome()).isEqualTo(ResumeOutcome.EXPIRED);
        assertThat(recall(1200).outcome()).isEqualTo(ResumeOutcome.MISS);
    }

    @Test
    void sharesAndChangesMakeAnEntryYoungAgain() {
        record("262144", true, 0);
        record("262144", true, 800);
        assertThat(recall(1700).outcome()).isEqualTo(ResumeOutcome.RESUMED);
        record("65536", false, 1700);
        assertThat(recall(2600).difficulty()).contains(new BigDecimal("65536"));
    }

    @Test
    void theLeastRecentlyUsedNameLeavesFirst() {
        DifficultyMemory small =
                new DifficultyMemory(new ResumePolicy(true, Duration.ofSeconds(900), 2, BigDecimal.valueOf(1024)));
        small.record("l", "a", new BigDecimal(2000), true, 0);
        small.record("l", "b", new BigDecimal(2000), true, 0);
        small.recall("l", "a", RANGE, 0);
        small.record("l", "c", new BigDecimal(2000), true, 0);

        assertThat(small.size()).isEqualTo(2);
        assertThat(small.recall("l", "a", RANGE, 0).outcome()).isEqualTo(ResumeOutcome.RESUMED);
        assertThat(small.recall("l", "b", RANGE, 0).outcome()).isEqualTo(ResumeOutcome.MISS);
    }

    @Test
    void anyZeroSwitchesTheMemoryOff() {
        for (ResumePolicy off : new ResumePolicy[] {
            new ResumePolicy(false, Duration.ofSeconds(1), 1, BigDecimal.ONE),
            new ResumePolicy(true, Duration.ZERO, 1, BigDecimal.ONE),
            new ResumePolicy(true, Duration.ofSeconds(1), 0, BigDecimal.ONE)
        }) {
            DifficultyMemory disabled = new DifficultyMemory(off);
            disabled.record("l", "a", BigDecimal.TEN, true, 0);
            assertThat(disabled.size()).isZero();
            assertThat(disabled.recall("l", "a", RANGE, 0).outcome()).isEqualTo(ResumeOutcome.DISABLED);
        }
    }

    private void record(String difficulty, boolean shareBacked, long atSeconds) {
        memory.record("large", "user", new BigDecimal(difficulty), shareBacked, atSeconds * SECOND);
    }

    private Recall recall(long atSeconds) {
        return memory.recall("large", "user", RANGE, atSeconds * SECOND);
    }
}
