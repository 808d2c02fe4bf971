package org.prismpool.app.composition.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.sharewriter.LedgerUnavailableException;
import org.prismpool.sharewriter.read.ReplicaState;

class DatabaseWatchTest {

    private final ManualClock clock = new ManualClock();
    private final AtomicInteger questions = new AtomicInteger();
    private boolean down;
    private ReplicaState says = new ReplicaState(
            true, Optional.of(Duration.ofSeconds(2)), Optional.of(Duration.ofMillis(1500)), OptionalLong.of(77));

    private DatabaseWatch watch(boolean replicaRequired) {
        return new DatabaseWatch(
                deadline -> {
                    questions.incrementAndGet();
                    if (down) {
                        throw new LedgerUnavailableException("connection refused");
                    }
                    return says;
                },
                new Freshness(replicaRequired, Duration.ofSeconds(60)),
                Duration.ofSeconds(5),
                clock);
    }

    @Test
    void nothingIsKnownBeforeTheFirstQuestion() {
        DatabaseWatch watch = watch(false);

        assertThat(watch.verdict().available()).isFalse();
        assertThat(watch.said()).isEmpty();
        assertThat(questions).hasValue(0);
    }

    @Test
    void anOutageIsKnownFromItsFirstQuestionAndOverWithTheNextAnswer() {
        DatabaseWatch watch = watch(false);
        assertThat(watch.ask().available()).isTrue();

        down = true;
        assertThat(watch.ask().state()).isEqualTo(DatabaseVerdict.State.UNAVAILABLE);
        assertThat(watch.verdict().reason()).contains("connection refused");
        down = false;

        assertThat(watch.ask().available()).isTrue();
        assertThat(watch.verdict().reason()).isEmpty();
    }

    @Test
    void aStreamThatIsNotSeenAnyMoreAgesUntilItCountsNoLonger() {
        DatabaseWatch watch = watch(true);
        watch.ask();
        down = true;
        clock.advance(Duration.ofSeconds(58));

        assertThat(watch.ask().state()).isEqualTo(DatabaseVerdict.State.UNAVAILABLE);
        clock.advance(Duration.ofMillis(1));

        assertThat(watch.verdict().state()).isEqualTo(DatabaseVerdict.State.REFUSED);
    }

    @Test
    void aHerdOfFailedRequestsAsksOnce() {
        DatabaseWatch watch = watch(false);
        watch.ask();

        watch.confirm();
        watch.confirm();
        assertThat(questions).hasValue(1);
        clock.advance(Duration.ofMillis(201));
        watch.confirm();
        watch.confirm();

        assertThat(questions).hasValue(2);
    }

    @Test
    void healthShowsTheStateOfTheDatabaseAndNeverAsksIt() {
        DatabaseWatch watch = watch(true);
        ReaderHealth health = new ReaderHealth(watch);
        assertThat(status(health, "healthz")).isEqualTo(503);
        watch.ask();

        assertThat(status(health, "healthz")).isEqualTo(200);
        assertThat(status(health, "readyz")).isEqualTo(200);
        assertThat(new String(answer(health, "healthz").orElseThrow().body(), java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("{\"database_reason\":null,\"database_state\":\"available\",\"ok\":true,\"replica\":"
                        + "{\"backlog_bytes\":77,\"in_recovery\":true,\"receiver_message_age_ms\":2000,"
                        + "\"replay_lag_ms\":1500},\"role\":\"public\"}\n");
        says = new ReplicaState(false, Optional.empty(), Optional.empty(), OptionalLong.empty());
        watch.ask();
        assertThat(status(health, "healthz")).isEqualTo(503);
        assertThat(status(health, "livez")).isEqualTo(200);
        assertThat(answer(health, "metrics")).isEmpty();
        assertThat(questions).hasValue(2);
    }

    private static Optional<HttpAnswer> answer(ReaderHealth health, String path) {
        return health.answer(HttpQuery.of(java.util.List.of(path), java.util.Map.of()));
    }

    private static int status(ReaderHealth health, String path) {
        return answer(health, path).orElseThrow().status();
    }
}
