package org.prismpool.lifecycle.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.testing.TestThreads;

class HealthSnapshotTest {

    private static final ClientCountPort NOBODY = (fingerprint, payout) -> ClientCounts.NONE;
    private static final WorkGeneration WORK = new WorkGeneration(4, "aa", 2);

    private final ManualClock clock = new ManualClock();
    private final ProgressHealth progress = new ProgressHealth(clock, HealthDeadlines.defaults());
    private final AtomicInteger collections = new AtomicInteger();
    private BaseHealth base = healthyBase();
    private final HealthSnapshot health = snapshot(() -> {
        collections.incrementAndGet();
        return base;
    });

    @Test
    void beforeTheFirstBaseItIsStarting() throws Exception {
        HealthAnswer answer = health.answer();

        JsonNode body = json(answer);
        assertThat(answer.status()).isEqualTo(503);
        assertThat(body.get("ok").asBoolean()).isFalse();
        assertThat(body.get("state").asText()).isEqualTo("starting");
        assertThat(body.get("error").asText()).isEqualTo("health snapshot warm-up has not completed yet");
        assertThat(body.get("reason").asText()).isEqualTo("current_generation_not_published");
        assertThat(body.get("qbit_blockpoll").get("phase").asText()).isEqualTo("idle");
        assertThat(collections).hasValue(0);
        assertThat(health.warm()).isFalse();
    }

    @Test
    void aStartGoesFromStartingOverReasonsToHealthy() throws Exception {
        List<Integer> statuses = new ArrayList<>();
        statuses.add(health.answer().status());
        health.refresh();
        statuses.add(health.answer().status());
        publish();
        statuses.add(health.answer().status());

        assertThat(statuses).containsExactly(503, 503, 200);
        assertThat(json(health.answer()).has("reason")).isFalse();
        assertThat(json(health.answer()).has("reasons")).isFalse();
        assertThat(json(health.answer()).has("state")).isFalse();
    }

    @Test
    void theBodyHasExactlyTheFieldsOfTheContract() throws Exception {
        health.refresh();
        publish();

        assertThat(json(health.answer()).fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "ok",
                        "schema",
                        "snapshot_age_seconds",
                        "ledger_backend",
                        "accepted_share_count",
                        "ready_miner_count",
                        "accepted_block",
                        "accepted_block_count",
                        "max_blocks",
                        "mining_ready",
                        "mining_delivery_healthy",
                        "mining_health_startup_grace",
                        "active_connections",
                        "connection_capacity",
                        "peak_active_connections",
                        "subscribed_connections",
                        "authorized_connections",
                        "pending_initial_jobs",
                        "pending_initial_job_capacity",
                        "oldest_pending_initial_job_age_seconds",
                        "oldest_genuinely_pending_initial_job_age_seconds",
                        "clients_with_current_tip_jobs",
                        "current_tip_job_coverage",
                        "clients_with_semantically_current_work",
                        "semantic_current_work_ratio",
                        "current_tip_coverage_gap_age_seconds",
                        "connection_capacity_saturated",
                        "pending_initial_jobs_saturated",
                        "initial_delivery_stalled",
                        "overload",
                        "overload_age_seconds",
                        "unhealthy_reasons",
                        "initial_job_queue_rejections",
                        "initial_job_timeout_disconnects",
                        "initial_job_cancelled_tasks",
                        "initial_job_coalesced_tasks",
                        "initial_job_queue_capacity_reclaimed",
                        "handler_threads",
                        "delivery_executor_queue_depth",
                        "delivery_executor_active_workers",
                        "subscribed_clients",
                        "authorized_clients",
                        "clients_with_no_active_job",
                        "clients_without_current_tip_job",
                        "clients_with_current_tip_job",
                        "clients_pending_initial_job",
                        "current_tip_job_coverage_ratio",
                        "oldest_initial_job_pending_seconds",
                        "job_preparation_pending",
                        "current_observed_tip",
                        "prepared_bundle_current",
                        "prepared_bundle_tip",
                        "prepared_bundle_template_generation",
                        "prepared_bundle_payout_generation",
                        "qbit_blockpoll",
                        "pending_refresh",
                        "pending_refresh_age_seconds",
                        "tip_poll_age_seconds",
                        "tip_refresh_in_progress",
                        "tip_refresh_progress_age_seconds",
                        "current_template_generation",
                        "published_template_generation",
                        "current_payout_generation",
                        "published_payout_generation",
                        "last_valid_delivery_age_seconds",
                        "eligible_client_count",
                        "eligible_clients_requiring_refresh",
                        "bundle_build_oldest_age_seconds");
        assertThat(health.answer().body().length()).isLessThan(8 * 1024);
    }

    @Test
    void theBodyTellsTheNumbersOfTheBase() throws Exception {
        health.refresh();
        publish();
        clock.advance(Duration.ofMillis(1_250));

        JsonNode body = json(health.answer());

        assertThat(body.get("schema").asText()).isEqualTo("qbit.prism.audit-health.v1");
        assertThat(body.get("snapshot_age_seconds").decimalValue()).isEqualByComparingTo("1.25");
        assertThat(body.get("ledger_backend").asText()).isEqualTo("memory");
        assertThat(body.get("accepted_block").asBoolean()).isTrue();
        assertThat(body.get("authorized_clients").asInt()).isEqualTo(3);
        assertThat(body.get("clients_without_current_tip_job").asInt()).isZero();
        assertThat(body.get("current_tip_job_coverage").decimalValue()).isEqualByComparingTo("1.0");
        assertThat(body.get("semantic_current_work_ratio").decimalValue()).isEqualByComparingTo("0.666667");
        assertThat(body.get("oldest_pending_initial_job_age_seconds").decimalValue())
                .isEqualByComparingTo("0.5");
        assertThat(body.get("oldest_initial_job_pending_seconds").decimalValue())
                .isEqualByComparingTo("0.25");
        assertThat(body.get("current_observed_tip").asText()).isEqualTo("00ff");
        assertThat(body.get("prepared_bundle_tip").isNull()).isTrue();
        assertThat(body.get("prepared_bundle_template_generation").asLong()).isEqualTo(4);
        assertThat(body.get("current_template_generation").asLong()).isEqualTo(4);
        assertThat(body.get("published_payout_generation").asLong()).isEqualTo(2);
        assertThat(body.get("last_valid_delivery_age_seconds").isNull()).isTrue();
    }

    @Test
    void aCachedGoodBaseDoesNotHideBadProgress() throws Exception {
        health.refresh();
        publish();
        assertThat(health.answer().ok()).isTrue();

        clock.advance(Duration.ofMillis(15_001));
        health.refresh();

        HealthAnswer answer = health.answer();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(json(answer).get("reason").asText()).isEqualTo("tip_poll_stale");
        assertThat(json(answer).get("mining_ready").asBoolean()).isTrue();
    }

    @Test
    void goodProgressDoesNotHideABadBase() throws Exception {
        base = new BaseHealth(
                base.ledger(),
                base.blocks(),
                base.sessions(),
                base.firstJobs(),
                base.coverage(),
                base.shares(),
                base.prepared(),
                new BaseHealth.Flags(true, false));
        health.refresh();
        publish();

        HealthAnswer answer = health.answer();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(json(answer).has("reason")).isFalse();
        assertThat(json(answer).get("unhealthy_reasons").get(0).asText()).isEqualTo("mature-block-off-chain");
    }

    @Test
    void aBaseThatGrowsOldFailsAlthoughProgressIsFine() throws Exception {
        health.refresh();
        publish();
        clock.advance(Duration.ofSeconds(15));
        progress.tipObserved(WORK, clock.nanoTime());
        assertThat(health.answer().ok()).isTrue();

        clock.advance(Duration.ofMillis(1));

        HealthAnswer answer = health.answer();
        assertThat(answer.status()).isEqualTo(503);
        JsonNode body = json(answer);
        assertThat(body.get("error").asText()).isEqualTo("health snapshot is stale");
        assertThat(body.get("snapshot_age_seconds").decimalValue()).isEqualByComparingTo("15.001");
        assertThat(body.has("reason")).isFalse();
        assertThat(body.has("ledger_backend")).isFalse();
    }

    @Test
    void aFailedCollectionKeepsTheLastBaseAndIsCounted() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        HealthSnapshot flaky = snapshot(() -> {
            if (calls.incrementAndGet() == 2) {
                throw new IllegalStateException("database is gone");
            }
            return base;
        });
        publish();

        assertThat(flaky.refresh()).isTrue();
        assertThat(flaky.refresh()).isFalse();

        assertThat(flaky.refreshFailures()).isOne();
        assertThat(flaky.answer().ok()).isTrue();
        assertThat(flaky.answer().body()).doesNotContain("database is gone");
    }

    @Test
    void aCollectionThatHangsDoesNotHoldTheAnswer() throws Exception {
        CountDownLatch hung = new CountDownLatch(1);
        HealthSnapshot stuck = snapshot(() -> {
            TestThreads.await(hung);
            return base;
        });
        CompletableFuture<Boolean> refreshing = TestThreads.run("refresher", stuck::refresh);

        assertThat(stuck.answer().status()).isEqualTo(503);

        assertThat(TestThreads.fastest(stuck::answer)).isLessThan(Duration.ofMillis(50));
        hung.countDown();
        assertThat(TestThreads.result(refreshing)).isTrue();
    }

    @Test
    void theDriverStateHasTheFieldsOfTheContract() {
        RefreshDriverState driving = new RefreshDriverState(
                "bundle_construction",
                Optional.of("00ff"),
                OptionalLong.of(7),
                new RefreshDriverState.Instant(10.1234, 1_700_000_000.5),
                2.5,
                Optional.of(new RefreshDriverState.Instant(9, 1_700_000_000)),
                Optional.empty(),
                OptionalLong.of(4242),
                OptionalLong.empty());

        assertThat(driving.fields().toString())
                .isEqualTo("{phase=bundle_construction, tip_hash=00ff, generation=7, phase_started_monotonic=10.123, "
                        + "phase_started_unix_seconds=1700000000.5, blocked_phase_seconds=2.5, "
                        + "last_successful_poll_monotonic=9.0, last_successful_poll_unix_seconds=1700000000.0, "
                        + "last_successful_refresh_monotonic=null, last_successful_refresh_unix_seconds=null, "
                        + "active_helper_pid=4242, newest_pending_generation=null}");
    }

    @Test
    void aPeriodOfZeroIsRefused() {
        assertThatThrownBy(() -> new HealthSnapshot(
                        Duration.ZERO,
                        () -> base,
                        new MiningHealth(clock, Duration.ZERO, Duration.ZERO),
                        progress,
                        NOBODY,
                        RefreshDriverState::idle,
                        clock))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void publish() {
        progress.tipObserved(WORK, clock.nanoTime());
        progress.published(WORK, true);
    }

    private HealthSnapshot snapshot(BaseHealthPort port) {
        return new HealthSnapshot(
                Duration.ofSeconds(5),
                port,
                new MiningHealth(clock, Duration.ofSeconds(30), Duration.ofSeconds(30)),
                progress,
                NOBODY,
                RefreshDriverState::idle,
                clock);
    }

    private static JsonNode json(HealthAnswer answer) throws Exception {
        return new ObjectMapper().readTree(answer.body());
    }

    private static BaseHealth healthyBase() {
        return new BaseHealth(
                new BaseHealth.Ledger("memory", 12, 3),
                new BaseHealth.Blocks(1, 5),
                new BaseHealth.Sessions(4, 0, 9, 4, 3, 4),
                new BaseHealth.FirstJobs(0, 8, Duration.ofMillis(500), Duration.ofMillis(250), 1, 2, 3, 4, 5, 6, 7),
                new BaseHealth.Coverage(3, 2, 0),
                new BaseHealth.Shares(20, 1),
                new BaseHealth.Prepared(
                        false, Optional.of("00ff"), true, Optional.empty(), OptionalLong.of(4), OptionalLong.of(2)),
                new BaseHealth.Flags(false, false));
    }
}
