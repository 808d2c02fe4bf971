package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.NullUnmarked;
import org.prismpool.refresh.Fanout;
import org.prismpool.refresh.FanoutOrder;
import org.prismpool.refresh.FanoutReport;
import org.prismpool.refresh.FanoutTarget;
import org.prismpool.refresh.RefreshEpoch;
import org.prismpool.refresh.TargetQuery;
import org.prismpool.refresh.WorkIdentity;
import org.prismpool.refresh.WorkMode;

/** Clients that take whatever they are sent; tests make single ones busy or slow. */
@NullUnmarked // test state is filled as it goes
final class FakeFanout implements Fanout<String, String> {

    /** A job as a client has it. */
    record Job(String id, WorkIdentity work, long epoch) {}

    private final SimulatedTime time;
    final Map<Long, Optional<Job>> clients = new LinkedHashMap<>();
    final List<Job> sent = new ArrayList<>();
    final List<Long> busy = new ArrayList<>();
    final List<FanoutOrder<String, String>> orders = new ArrayList<>();
    Duration perSend = Duration.ZERO;
    Runnable afterEachSend = () -> {};
    int selections;

    FakeFanout(SimulatedTime time) {
        this.time = time;
    }

    void connect(int count) {
        for (int i = 0; i < count; i++) {
            clients.put((long) clients.size() + 1, Optional.empty());
        }
    }

    Job job(long client) {
        return clients.get(client).orElseThrow();
    }

    @Override
    public List<FanoutTarget> select(TargetQuery query) {
        selections++;
        return clients.entrySet().stream()
                .map(client -> new FanoutTarget(
                        client.getKey(),
                        client.getValue().map(Job::id),
                        client.getValue().map(job -> needs(job, query)).orElse(true)))
                .toList();
    }

    private static boolean needs(Job job, TargetQuery query) {
        boolean oldEpoch = query.epoch()
                .map(RefreshEpoch::sequence)
                .filter(sequence -> job.epoch() < sequence)
                .isPresent();
        WorkIdentity work = job.work();
        return oldEpoch
                || !work.parent().equals(query.snapshot().parent())
                || !work.fingerprint().equals(query.snapshot().fingerprint())
                || work.payoutGeneration() != query.payout().generation()
                || (work.mode() == WorkMode.COLLECTION && query.ready());
    }

    @Override
    public FanoutReport deliver(FanoutOrder<String, String> order) throws InterruptedException {
        orders.add(order);
        int delivered = 0;
        int skipped = 0;
        int left = 0;
        long first = time.clock.nanoTime();
        long liveChecked = first;
        for (FanoutOrder.Item<String, String> item : order.items()) {
            order.control().progress();
            if (order.cancel().cancelled() || !order.control().current()) {
                return report(delivered, skipped, left, FanoutReport.End.CANCELLED, first);
            }
            if (order.deadline().expired()) {
                return report(delivered, skipped, left, FanoutReport.End.DEADLINE, first);
            }
            boolean due = time.clock.nanoTime() - liveChecked >= 1_000_000_000L;
            if (order.control().liveCheck(true).isPresent()
                    || (due && order.control().liveCheck(false).isPresent())) {
                return report(delivered, skipped, left, FanoutReport.End.INVALIDATED, first);
            }
            liveChecked = due ? time.clock.nanoTime() : liveChecked;
            time.pass(perSend);
            long client = item.target().connectionId();
            if (busy.contains(client)) {
                left++;
                skipped++;
            } else if (order.cancel().cancelled() || !order.control().current()) {
                skipped++; // the check of the commit instant
            } else {
                Job job = new Job("job " + (sent.size() + 1), item.work().identity(), order.epoch());
                clients.put(client, Optional.of(job));
                sent.add(job);
                delivered++;
                afterEachSend.run();
            }
        }
        return report(delivered, skipped, left, FanoutReport.End.COMPLETE, first);
    }

    private FanoutReport report(int delivered, int skipped, int left, FanoutReport.End end, long first) {
        OptionalLong at = OptionalLong.of(time.clock.nanoTime());
        return new FanoutReport(
                delivered, skipped, 0, 0, left, 0, end, new FanoutReport.Times(OptionalLong.of(first), at, at));
    }
}
