package org.prismpool.lifecycle.health;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Names and order of the fields of a health answer (spec 08 section 5.5). */
final class HealthBody {

    private static final String SCHEMA = "qbit.prism.audit-health.v1";
    private static final int RATIO_SCALE = 6;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

    private HealthBody() {}

    static HealthAnswer starting(ProgressSnapshot progress, RefreshDriverState driver) {
        HealthBody body = new HealthBody();
        body.head(false);
        body.fields.put("state", "starting");
        body.fields.put("error", "health snapshot warm-up has not completed yet");
        body.progress(progress, driver);
        return body.answer(false);
    }

    static HealthAnswer stale(Duration age, ProgressSnapshot progress, RefreshDriverState driver) {
        HealthBody body = new HealthBody();
        body.head(false);
        body.fields.put("error", "health snapshot is stale");
        body.fields.put("snapshot_age_seconds", HealthNumbers.age(age));
        body.progress(progress, driver);
        return body.answer(false);
    }

    static HealthAnswer of(
            BaseHealth base, MiningVerdict mining, Duration age, ProgressSnapshot progress, RefreshDriverState driver) {
        boolean ok = mining.ok() && progress.ok();
        HealthBody body = new HealthBody();
        body.head(ok);
        body.fields.put("snapshot_age_seconds", HealthNumbers.age(age));
        body.ledgerAndBlocks(base, mining);
        body.sessions(base);
        body.coverage(base, mining);
        body.firstJobCounters(base);
        body.aliases(base);
        body.prepared(base.prepared());
        body.progress(progress, driver);
        return body.answer(ok);
    }

    private void head(boolean ok) {
        fields.put("ok", ok);
        fields.put("schema", SCHEMA);
    }

    private void ledgerAndBlocks(BaseHealth base, MiningVerdict mining) {
        fields.put("ledger_backend", base.ledger().backend());
        fields.put("accepted_share_count", base.ledger().acceptedShares());
        fields.put("ready_miner_count", base.ledger().readyMiners());
        fields.put("accepted_block", base.blocks().accepted() > 0);
        fields.put("accepted_block_count", base.blocks().accepted());
        fields.put("max_blocks", base.blocks().limit());
        fields.put("mining_ready", mining.ok());
        fields.put("mining_delivery_healthy", mining.ok());
        fields.put("mining_health_startup_grace", mining.inStartupGrace());
    }

    private void sessions(BaseHealth base) {
        BaseHealth.Sessions sessions = base.sessions();
        fields.put("active_connections", sessions.active());
        fields.put("connection_capacity", sessions.capacity());
        fields.put("peak_active_connections", sessions.peak());
        fields.put("subscribed_connections", sessions.subscribed());
        fields.put("authorized_connections", sessions.authorized());
        BaseHealth.FirstJobs first = base.firstJobs();
        fields.put("pending_initial_jobs", first.pending());
        fields.put("pending_initial_job_capacity", first.capacity());
        fields.put("oldest_pending_initial_job_age_seconds", HealthNumbers.age(first.oldestPending()));
        fields.put(
                "oldest_genuinely_pending_initial_job_age_seconds", HealthNumbers.age(first.oldestGenuinelyPending()));
    }

    private void coverage(BaseHealth base, MiningVerdict mining) {
        DeliveryView view = base.deliveryView();
        int authorized = base.sessions().authorized();
        int semantic = base.coverage().withSemanticallyCurrentWork();
        double semanticRatio = authorized == 0 ? 1.0 : (double) semantic / authorized;
        fields.put("clients_with_current_tip_jobs", base.coverage().withCurrentTipJobs());
        fields.put("current_tip_job_coverage", HealthNumbers.rounded(view.coverage(), RATIO_SCALE));
        fields.put("clients_with_semantically_current_work", semantic);
        fields.put("semantic_current_work_ratio", HealthNumbers.rounded(semanticRatio, RATIO_SCALE));
        fields.put("current_tip_coverage_gap_age_seconds", HealthNumbers.age(mining.coverageGapAge()));
        fields.put("connection_capacity_saturated", view.connectionsFull());
        fields.put("pending_initial_jobs_saturated", view.pendingFull());
        fields.put("initial_delivery_stalled", mining.reasons().contains(MiningReason.INITIAL_DELIVERY_STALLED));
        fields.put("overload", mining.overload());
        fields.put("overload_age_seconds", HealthNumbers.age(mining.overloadAge()));
        fields.put(
                "unhealthy_reasons",
                mining.reasons().stream().map(MiningReason::id).toList());
    }

    private void firstJobCounters(BaseHealth base) {
        BaseHealth.FirstJobs first = base.firstJobs();
        fields.put("initial_job_queue_rejections", first.queueRejections());
        fields.put("initial_job_timeout_disconnects", first.timeoutDisconnects());
        fields.put("initial_job_cancelled_tasks", first.cancelledTasks());
        fields.put("initial_job_coalesced_tasks", first.coalescedTasks());
        fields.put("initial_job_queue_capacity_reclaimed", first.reclaimedCapacity());
        fields.put("handler_threads", base.sessions().handlerThreads());
        fields.put("delivery_executor_queue_depth", first.executorQueueDepth());
        fields.put("delivery_executor_active_workers", first.executorActiveWorkers());
    }

    /** The same values under the names that dashboards use. */
    private void aliases(BaseHealth base) {
        int authorized = base.sessions().authorized();
        int covered = base.coverage().withCurrentTipJobs();
        fields.put("subscribed_clients", base.sessions().subscribed());
        fields.put("authorized_clients", authorized);
        fields.put("clients_with_no_active_job", base.coverage().withNoActiveJob());
        fields.put("clients_without_current_tip_job", Math.max(0, authorized - covered));
        fields.put("clients_with_current_tip_job", covered);
        fields.put("clients_pending_initial_job", base.firstJobs().pending());
        fields.put("current_tip_job_coverage_ratio", base.deliveryView().coverage());
        fields.put(
                "oldest_initial_job_pending_seconds",
                HealthNumbers.age(base.firstJobs().oldestGenuinelyPending()));
    }

    private void prepared(BaseHealth.Prepared prepared) {
        fields.put("job_preparation_pending", prepared.preparationPending());
        fields.put("current_observed_tip", prepared.observedTip().orElse(null));
        fields.put("prepared_bundle_current", prepared.bundleCurrent());
        fields.put("prepared_bundle_tip", prepared.bundleTip().orElse(null));
        fields.put("prepared_bundle_template_generation", orNull(prepared.bundleTemplateGeneration()));
        fields.put("prepared_bundle_payout_generation", orNull(prepared.bundlePayoutGeneration()));
    }

    private void progress(ProgressSnapshot progress, RefreshDriverState driver) {
        fields.put("qbit_blockpoll", driver.fields());
        List<String> reasons =
                progress.reasons().stream().map(ProgressReason::id).toList();
        if (!reasons.isEmpty()) {
            fields.put("reason", reasons.get(0));
            fields.put("reasons", reasons);
        }
        fields.put("pending_refresh", progress.pendingRefresh());
        fields.put("pending_refresh_age_seconds", ageOrNull(progress.pendingRefreshAge()));
        fields.put("tip_poll_age_seconds", HealthNumbers.age(progress.tipPollAge()));
        fields.put("tip_refresh_in_progress", progress.refreshInProgress());
        fields.put("tip_refresh_progress_age_seconds", ageOrNull(progress.refreshProgressAge()));
        fields.put("current_template_generation", progress.current().templateGeneration());
        fields.put("published_template_generation", progress.published().templateGeneration());
        fields.put("current_payout_generation", progress.current().payoutGeneration());
        fields.put("published_payout_generation", progress.published().payoutGeneration());
        fields.put("last_valid_delivery_age_seconds", ageOrNull(progress.lastValidDeliveryAge()));
        fields.put("eligible_client_count", progress.clients().eligible());
        fields.put("eligible_clients_requiring_refresh", progress.clients().requiringRefresh());
        fields.put("bundle_build_oldest_age_seconds", HealthNumbers.age(progress.oldestBuildAge()));
    }

    private HealthAnswer answer(boolean ok) {
        try {
            return new HealthAnswer(ok, JSON.writeValueAsString(fields));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a health answer is made of numbers and names only", e);
        }
    }

    private static @Nullable BigDecimal ageOrNull(Optional<Duration> age) {
        return age.map(HealthNumbers::age).orElse(null);
    }

    private static @Nullable Long orNull(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }
}
