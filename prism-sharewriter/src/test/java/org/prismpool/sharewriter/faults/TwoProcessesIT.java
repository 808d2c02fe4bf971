package org.prismpool.sharewriter.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.prismpool.sharewriter.TestPostgres;

/** Real processes fight for one lease, die and resume: every acknowledged share is there once. */
@Execution(ExecutionMode.SAME_THREAD)
class TwoProcessesIT {

    // never lent again: what a killed process sent last may still be under way when its test is over
    private final String url = TestPostgres.emptyMigratedDatabase();

    private static void awaitWorking(ChildWriter child, int acknowledgements) {
        await("child works")
                .atMost(Duration.ofSeconds(30))
                .until(() -> child.acknowledged().size() >= acknowledgements);
    }

    private void assertDurableOnce(Map<String, Long> acknowledged) {
        assertDurableOnce(acknowledged, 0);
    }

    /** Compares with the rows above a sequence. That no id is there twice is the unique key's promise. */
    private void assertDurableOnce(Map<String, Long> acknowledged, long after) {
        Map<String, Long> rows = new HashMap<>();
        for (String row : TestPostgres.ask(
                        url,
                        "SELECT coalesce(string_agg(share_id || ' ' || share_seq, ','), '') FROM qbit_share_ledger"
                                + " WHERE share_seq > " + after)
                .split(",", -1)) {
            if (!row.isEmpty()) {
                String[] words = row.split(" ", -1);
                assertThat(rows.put(words[0], Long.parseLong(words[1]))).isNull();
            }
        }
        assertThat(rows).containsAllEntriesOf(acknowledged);
        long previous = after;
        for (long sequence : acknowledged.values()) {
            assertThat(sequence).isGreaterThan(previous);
            previous = sequence;
        }
    }

    private long highestSequence() {
        return Long.parseLong(TestPostgres.ask(url, "SELECT coalesce(max(share_seq), 0) FROM qbit_share_ledger"));
    }

    @Test
    void aKilledWriterIsFollowedWithinSecondsAndLosesNothingAcknowledged() throws Exception {
        killRounds(2);
    }

    @Test
    @Tag("soak")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void twoHundredKillsLoseNothingAcknowledged() throws Exception {
        killRounds(200);
    }

    /** A child that a starved machine keeps from its heartbeat ends itself, as it must; that is a round like any other. */
    private void killRounds(int rounds) throws Exception {
        Random random = new Random(rounds);
        Map<String, Long> all = new LinkedHashMap<>();
        int killed = 0;
        long before = 0;
        for (int round = 0; round < rounds; round++) {
            try (ChildWriter child = new ChildWriter(url, "w", "r" + round + "-")) {
                int acknowledgements = 50 + random.nextInt(500);
                await("child works or fenced itself")
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> child.acknowledged().size() >= acknowledgements || !child.alive());
                child.signal("KILL");
                int exit = child.exitCode();
                assertThat(exit).isIn(128 + 9, 9);
                killed += exit == 9 ? 0 : 1;
                assertDurableOnce(child.acknowledged(), before);
                all.putAll(child.acknowledged());
                before = highestSequence();
            }
        }
        assertDurableOnce(all);
        assertThat(killed).isGreaterThanOrEqualTo((rounds + 1) / 2);
    }

    @Test
    void aTerminatedWriterReleasesAndItsTwinFollowsAtOnce() throws Exception {
        try (ChildWriter a = new ChildWriter(url, "w", "a");
                ChildWriter b = startAfter(a, "w")) {
            awaitWorking(a, 50);
            assertThat(b.held()).isFalse();
            a.signal("TERM");
            a.exitCode();
            assertThat(a.release()).isEqualTo("SUCCESS");
            awaitWorking(b, 50);
            assertDurableOnce(a.acknowledged());
            assertDurableOnce(b.acknowledged());
            assertNoWriteAfterSuccessor("a%", "b%");
        }
    }

    @Test
    void aWriterPausedBeyondItsLeaseIsFencedAndEndsWhenItWakes() throws Exception {
        try (ChildWriter a = new ChildWriter(url, "w", "a")) {
            awaitWorking(a, 50);
            a.signal("STOP");
            letTheLeaseRunOut();
            anotherWriterTakesOver(a);
        }
    }

    @Test
    @Tag("soak")
    void aWriterPausedLongerThanItsLeaseLastsIsFencedAndEndsWhenItWakes() throws Exception {
        try (ChildWriter a = new ChildWriter(url, "w", "a")) {
            awaitWorking(a, 50);
            a.signal("STOP");
            await("lease runs out").atMost(Duration.ofSeconds(30)).until(this::leaseRanOut);
            anotherWriterTakesOver(a);
        }
    }

    private void anotherWriterTakesOver(ChildWriter paused) throws Exception {
        try (ChildWriter b = new ChildWriter(url, "x", "b")) {
            awaitWorking(b, 50);
            paused.signal("CONT");
            assertThat(paused.exitCode()).isEqualTo(9);
            assertDurableOnce(paused.acknowledged());
            awaitWorking(b, 200);
            assertDurableOnce(b.acknowledged());
            assertNoWriteAfterSuccessor("a%", "b%");
        }
    }

    @Test
    void aTwinOfAPausedWriterWaitsAtTheGuardUntilThatOneWakesAndEnds() throws Exception {
        try (ChildWriter a = new ChildWriter(url, "w", "a")) {
            awaitWorking(a, 50);
            a.signal("STOP");
            letTheLeaseRunOut();
            try (ChildWriter b = new ChildWriter(url, "w", "b")) {
                await("the twin asks for the guard")
                        .atMost(Duration.ofSeconds(30))
                        .until(b::waiting);
                await("the twin stays there, longer than a heartbeat may be silent")
                        .during(Duration.ofMillis(1500))
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> !b.held() && leaseRanOut());
                a.signal("CONT");
                assertThat(a.exitCode()).isEqualTo(9);
                awaitWorking(b, 50);
                assertDurableOnce(a.acknowledged());
                assertDurableOnce(b.acknowledged());
                assertNoWriteAfterSuccessor("a%", "b%");
            }
        }
    }

    private boolean leaseRanOut() {
        return TestPostgres.ask(url, "SELECT lease_expires_at < clock_timestamp() FROM qbit_ledger_writer_lease")
                .equals("t");
    }

    /** As if the time to live had passed: only the database's clock counts. Waits for a transaction of the holder. */
    private void letTheLeaseRunOut() {
        await("lease ran out").atMost(Duration.ofSeconds(30)).until(() -> {
            TestPostgres.run(
                    url, "UPDATE qbit_ledger_writer_lease SET lease_expires_at = clock_timestamp() - interval '1 s'");
            return leaseRanOut();
        });
    }

    private ChildWriter startAfter(ChildWriter first, String writerId) throws Exception {
        awaitWorking(first, 1);
        return new ChildWriter(url, writerId, "b");
    }

    private void assertNoWriteAfterSuccessor(String first, String second) {
        assertThat(TestPostgres.ask(
                        url,
                        "SELECT count(*) FROM qbit_share_ledger WHERE share_id LIKE '" + first + "' AND share_seq >"
                                + " (SELECT min(share_seq) FROM qbit_share_ledger WHERE share_id LIKE '" + second
                                + "')"))
                .isEqualTo("0");
    }
}
