package org.prismpool.delivery.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.prismpool.delivery.DeliveryConfig;
import org.prismpool.delivery.DeliveryMetrics;
import org.prismpool.delivery.Generations;
import org.prismpool.delivery.IssuedJob;
import org.prismpool.delivery.TipChange;
import org.prismpool.delivery.WorkKey;

/** Retained jobs against a list that is searched from end to end (spec 07 §7.6). */
class RetainedJobsProperties {

    private static final int PER_CONNECTION = 3;
    private static final int DETACHED = 1_000;
    private static final long SAME_TIP = Duration.ofSeconds(30).toNanos();
    private static final long GRACE = Duration.ofSeconds(3).toNanos();
    private static final long TICK = Duration.ofMillis(700).toNanos();

    private enum Op {
        RETAIN,
        RECEIVE_WORK,
        DETACH,
        PUBLISH,
        TIME,
        LONG_TIME
    }

    private record Step(Op op, int connection, int tip) {}

    @Provide
    Arbitrary<List<Step>> traces() {
        return Combinators.combine(
                        Arbitraries.of(Op.class),
                        Arbitraries.integers().between(1, 3),
                        Arbitraries.integers().between(1, 4))
                .as(Step::new)
                .list()
                .ofMaxSize(100);
    }

    /** One job of the model; {@code gone} once a bound or a rule removed it. */
    private static final class Model {
        private final IssuedJob<String> job;
        private final long evicted;
        private boolean sameTip;
        private boolean detached;
        private boolean gone;
        private boolean everOver;

        private Model(IssuedJob<String> job, long evicted, boolean sameTip) {
            this.job = job;
            this.evicted = evicted;
            this.sameTip = sameTip;
        }
    }

    private final Map<Long, ConnectionJobs.TipWork> received = new HashMap<>();

    @Property(tries = 300)
    void everyLookupAgreesWithTheRulesReadAloud(@ForAll("traces") List<Step> trace) {
        received.clear();
        RetainedJobs<String> retained = new RetainedJobs<>(
                new DeliveryConfig.Retention(
                        Duration.ofNanos(SAME_TIP), PER_CONNECTION, DETACHED, Duration.ofNanos(GRACE)),
                new DeliveryMetrics() {},
                id -> Optional.ofNullable(received.get(id)));
        List<Model> model = new ArrayList<>();
        Optional<TipChange> published = Optional.empty();
        long now = 0;
        int jobs = 0;
        for (Step step : trace) {
            long connection = step.connection();
            switch (step.op()) {
                case RETAIN -> {
                    IssuedJob<String> job = job(++jobs, connection, "tip " + step.tip());
                    retained.retain(job, now);
                    modelRetain(model, job, published, now);
                }
                case RECEIVE_WORK -> receive(connection, published, now);
                case DETACH -> {
                    retained.detach(connection, now);
                    modelDetach(model, connection, published, now);
                }
                case PUBLISH -> {
                    boolean first = published.isEmpty();
                    TipChange change = new TipChange(
                            "tip " + step.tip(),
                            Optional.of("tip " + (step.tip() - 1)),
                            first ? OptionalLong.empty() : OptionalLong.of(now));
                    published = Optional.of(change);
                    for (Model one : model) {
                        one.sameTip = change.tip().equals(one.job.key().tip());
                    }
                    for (Model one : model) {
                        one.gone |= expired(one, published, now);
                    }
                    for (long each = 1; each <= 3; each++) {
                        modelBound(model, each, published, now);
                    }
                    retained.published(change, now);
                }
                case TIME -> now += TICK;
                case LONG_TIME -> now += SAME_TIP / 2;
            }
            for (Model one : model) {
                boolean over = one.gone || expired(one, published, now);
                one.everOver |= over; // pruned or not: what was over once may stay lost when its tip comes back
                if (over || !one.everOver) {
                    assertThat(retained.find(one.job.id(), now).isPresent())
                            .as("%s after %s", one.job.id(), step)
                            .isEqualTo(!over);
                }
            }
        }
    }

    /** Work is always received for the published tip, and the first of it counts. */
    private void receive(long connection, Optional<TipChange> published, long now) {
        published.ifPresent(change -> received.merge(
                connection,
                new ConnectionJobs.TipWork(change.tip(), now),
                (first, again) -> first.tip().equals(again.tip()) ? first : again));
    }

    private void modelRetain(List<Model> model, IssuedJob<String> job, Optional<TipChange> published, long now) {
        Model added = new Model(
                job,
                now,
                published.map(tip -> tip.tip().equals(job.key().tip())).orElse(true));
        added.gone = expired(added, published, now);
        model.add(added);
        modelBound(model, job.connectionId(), published, now);
    }

    private void modelBound(List<Model> model, long connection, Optional<TipChange> published, long now) {
        List<Model> own = model.stream()
                .filter(one -> !one.gone
                        && !one.everOver
                        && !one.detached
                        && one.sameTip
                        && one.job.connectionId() == connection
                        && !expired(one, published, now))
                .toList();
        for (int i = 0; i < own.size() - PER_CONNECTION; i++) {
            own.get(i).gone = true;
        }
    }

    private void modelDetach(List<Model> model, long connection, Optional<TipChange> published, long now) {
        for (Model one : model) {
            if (!one.gone && !one.detached && one.job.connectionId() == connection) {
                one.detached = one.sameTip && !expired(one, published, now);
                one.gone = !one.detached;
            }
        }
    }

    private boolean expired(Model one, Optional<TipChange> published, long now) {
        if (one.sameTip || one.detached) {
            return now - one.evicted > SAME_TIP;
        }
        TipChange tip = published.orElseThrow();
        ConnectionJobs.TipWork work = received.get(one.job.connectionId());
        boolean over = work != null && work.tip().equals(tip.tip()) && now - work.receivedNanos() > GRACE;
        return tip.flipNanos().isEmpty()
                || !tip.parent().orElseThrow().equals(one.job.key().tip())
                || over;
    }

    private static IssuedJob<String> job(int number, long connection, String tip) {
        return new IssuedJob<>(
                "prism-" + number,
                connection,
                new Generations(1, 0, "worker"),
                new WorkKey(tip, "f", 1, 1, "d", 0, false, 0),
                true,
                "payload",
                0);
    }
}
