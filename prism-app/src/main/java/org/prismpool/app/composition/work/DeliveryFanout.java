package org.prismpool.app.composition.work;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.prismpool.delivery.FanoutCall;
import org.prismpool.delivery.FanoutSummary;
import org.prismpool.delivery.JobDelivery;
import org.prismpool.delivery.PreparedWork;
import org.prismpool.delivery.WorkQuery;
import org.prismpool.refresh.Fanout;
import org.prismpool.refresh.FanoutOrder;
import org.prismpool.refresh.FanoutReport;
import org.prismpool.refresh.FanoutTarget;
import org.prismpool.refresh.TargetQuery;
import org.prismpool.refresh.TipRefresher;
import org.prismpool.stratum.JobContext;
import org.prismpool.templates.TemplateObservation;

/** Carries the refresher's fan-outs to job delivery. */
public final class DeliveryFanout implements Fanout<TemplateObservation, PoolWork> {

    private final JobDelivery<PoolWork, Optional<JobContext>> delivery;
    private final Later<TipRefresher<TemplateObservation, PoolWork>> refresher;

    public DeliveryFanout(
            JobDelivery<PoolWork, Optional<JobContext>> delivery,
            Later<TipRefresher<TemplateObservation, PoolWork>> refresher) {
        this.delivery = delivery;
        this.refresher = refresher;
    }

    @Override
    public List<FanoutTarget> select(TargetQuery query) {
        WorkQuery asked = new WorkQuery(
                query.snapshot().parent().displayHex(),
                query.snapshot().fingerprint(),
                WorkKeys.payout(query.payout()),
                query.ready(),
                WorkKeys.epoch(query.epoch()));
        return delivery.select(asked).stream()
                .map(target -> new FanoutTarget(target.connectionId(), target.activeJobId(), target.needsWork()))
                .toList();
    }

    @Override
    public FanoutReport deliver(FanoutOrder<TemplateObservation, PoolWork> order) throws InterruptedException {
        IdentityHashMap<PoolWork, PreparedWork<PoolWork>> prepared =
                new IdentityHashMap<>(); // ready work is one for all clients
        List<FanoutCall.Item<PoolWork>> items = order.items().stream()
                .map(item -> new FanoutCall.Item<>(
                        item.target().connectionId(),
                        item.target().activeJobId(),
                        prepared.computeIfAbsent(item.work().work(), work -> WorkKeys.prepared(work, refresher.get()))))
                .toList();
        FanoutSummary summary = delivery.fanOut(new FanoutCall<>(
                items, order.maxInFlight(), checks(order.control()), order.cancel(), order.deadline()));
        return new FanoutReport(
                summary.sent(),
                summary.skipped(),
                summary.disconnected(),
                summary.failed(),
                summary.busy(),
                summary.undrained(),
                switch (summary.end()) {
                    case COMPLETE -> FanoutReport.End.COMPLETE;
                    case CANCELLED -> FanoutReport.End.CANCELLED;
                    case INVALIDATED -> FanoutReport.End.INVALIDATED;
                    case DEADLINE -> FanoutReport.End.DEADLINE;
                    case CLOSED -> FanoutReport.End.CLOSED;
                },
                new FanoutReport.Times(
                        summary.firstSubmissionNanos(), summary.firstDeliveryNanos(), summary.lastDeliveryNanos()));
    }

    private static FanoutCall.FanoutChecks checks(FanoutOrder.FanoutControl control) {
        return new FanoutCall.FanoutChecks() {
            @Override
            public boolean current() {
                return control.current();
            }

            @Override
            public void progress() {
                control.progress();
            }

            @Override
            public Optional<String> liveCheck(boolean beforeSubmission) throws InterruptedException {
                return control.liveCheck(beforeSubmission);
            }
        };
    }
}
