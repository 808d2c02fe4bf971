package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.refresh.internal.FakeChain.hash;

import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.NullUnmarked;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.refresh.ActiveFanout;
import org.prismpool.refresh.BuiltWork;
import org.prismpool.refresh.DetectedTip;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.PublishedTip;
import org.prismpool.refresh.TemplateSnapshot;
import org.prismpool.refresh.ValidationToken;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.refresh.WorkIdentity;
import org.prismpool.refresh.WorkMode;

/** Safety of the authority under random observations, publications and payout changes: spec 07 §9 S1 to S5. */
@NullUnmarked // test state is filled as it goes
class AuthorityProperties {

    /** What a trace does; numbers are small so that orders and hashes collide. */
    private record Event(Kind kind, int tip, int sequence) {}

    private enum Kind {
        OBSERVE,
        PREPARE,
        PUBLISH,
        PAYOUT,
        APPEND,
        FENCE,
        UNFENCE
    }

    @Provide
    Arbitrary<List<Event>> traces() {
        return Combinators.combine(
                        Arbitraries.of(Kind.class),
                        Arbitraries.integers().between(1, 3),
                        Arbitraries.integers().between(1, 12))
                .as(Event::new)
                .list()
                .ofMaxSize(80);
    }

    private static final class World {
        private WorkAuthority<String, String> authority = WorkAuthority.empty();
        private PayoutAuthority payout = new PayoutAuthority(1, Optional.of("d1"), 0, false);
        private Optional<PublicationFence<String, String>> prepared = Optional.empty();
        private long clock;
        private long generation;
        private final boolean epochs;

        private World(boolean epochs) {
            this.epochs = epochs;
        }

        private void apply(Event event) {
            clock++;
            WorkAuthority<String, String> before = authority;
            switch (event.kind()) {
                case OBSERVE -> observe(event, before);
                case PREPARE -> prepare(event);
                case PUBLISH -> prepared.ifPresent(fence -> publish(fence, before));
                case PAYOUT -> {
                    long next = payout.generation() + 1;
                    payout = new PayoutAuthority(next, Optional.of("d" + next), payout.appendEpoch(), false);
                    authority = PayoutPublication.of(before, payout, epochs).next();
                    assertPublishedUntouched(before);
                }
                case APPEND ->
                    payout = new PayoutAuthority(
                            payout.generation(), payout.digest(), payout.appendEpoch() + 1, payout.fenced());
                case FENCE ->
                    payout = new PayoutAuthority(payout.generation(), payout.digest(), payout.appendEpoch(), true);
                case UNFENCE ->
                    payout = new PayoutAuthority(payout.generation(), payout.digest(), payout.appendEpoch(), false);
            }
            assertInvariants(before);
        }

        private void observe(Event event, WorkAuthority<String, String> before) {
            TipObservation<String, String> step = TipObservation.of(
                    before,
                    new TipObservation.Sight(hash(event.tip()), event.sequence(), clock, payout.generation(), epochs));
            authority = step.next();
            boolean older = before.detected()
                    .filter(tip -> event.sequence() < tip.observationSequence())
                    .isPresent();
            assertThat(step.agrees())
                    .isEqualTo(!older || before.detected().orElseThrow().hash().equals(hash(event.tip())));
            if (older) {
                assertThat(authority).isSameAs(before);
            }
            assertThat(authority.published().map(PublishedTip::hash))
                    .isEqualTo(before.published().map(PublishedTip::hash));
            assertThat(authority.work()).isEqualTo(before.work());
        }

        private void prepare(Event event) {
            TemplateSnapshot<String> snapshot =
                    new TemplateSnapshot<>(hash(event.tip()), "f", ++generation, new String("t" + generation));
            WorkIdentity key = new WorkIdentity(
                    snapshot.parent(),
                    "f",
                    generation,
                    payout.generation(),
                    payout.digest().orElseThrow(),
                    payout.appendEpoch(),
                    WorkMode.READY);
            BuiltWork<String, String> built = new BuiltWork<>(key, snapshot.template(), "bundle");
            ValidationToken token = new ValidationToken(
                    snapshot, event.sequence(), payout.generation(), authority.epochSequence(), Optional.of(key));
            prepared = Optional.of(new PublicationFence<>(token, snapshot, Optional.of(built)));
        }

        private void publish(PublicationFence<String, String> fence, WorkAuthority<String, String> before) {
            ActiveFanout fanout = new ActiveFanout(fence.token(), new CancelSource());
            Optional<WorkAuthority<String, String>> after =
                    fence.publish(before, payout, epochs, Optional.empty(), fanout, clock);
            boolean newerElsewhere = before.detected()
                    .filter(tip -> !tip.hash().equals(fence.snapshot().parent())
                            && tip.observationSequence() > fence.token().observationSequence())
                    .isPresent();
            boolean payoutMoved =
                    !payout.agreesWith(fence.bundle().orElseThrow().identity());
            if (newerElsewhere || payoutMoved || payout.fenced()) {
                assertThat(after).as("obsolete work is never published").isEmpty();
            }
            authority = after.orElse(before);
            if (after.isPresent()) {
                assertThat(fence.current(authority, payout, epochs)).isTrue();
            } else {
                assertPublishedUntouched(before);
            }
        }

        private void assertPublishedUntouched(WorkAuthority<String, String> before) {
            assertThat(authority.published()).isEqualTo(before.published());
            assertThat(authority.fanout()).isEqualTo(before.fanout());
        }

        private void assertInvariants(WorkAuthority<String, String> before) {
            authority
                    .published()
                    .ifPresent(tip -> assertThat(
                                    authority.work().orElseThrow().snapshot().parent())
                            .as("tip and snapshot are one publication")
                            .isEqualTo(tip.hash()));
            assertThat(authority.detectionEpoch()).isGreaterThanOrEqualTo(before.detectionEpoch());
            assertThat(authority.epochSequence()).isGreaterThanOrEqualTo(before.epochSequence());
            assertThat(sequence(authority.detected())).isGreaterThanOrEqualTo(sequence(before.detected()));
            assertThat(authority
                            .published()
                            .map(PublishedTip::observationSequence)
                            .orElse(0L))
                    .isGreaterThanOrEqualTo(before.published()
                            .map(PublishedTip::observationSequence)
                            .orElse(0L));
            if (before.published().isEmpty() && authority.published().isPresent()) {
                assertThat(authority.published().get().flipNanos())
                        .as("a baseline")
                        .isEmpty();
            }
        }

        private static long sequence(Optional<DetectedTip> tip) {
            return tip.map(DetectedTip::observationSequence).orElse(0L);
        }
    }

    @Property
    void nothingObsoleteIsEverPublishedAndNothingEverGoesBack(
            @ForAll("traces") List<Event> trace, @ForAll boolean epochs) {
        World world = new World(epochs);

        trace.forEach(world::apply);
    }
}
