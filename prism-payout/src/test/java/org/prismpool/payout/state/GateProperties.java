package org.prismpool.payout.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

class GateProperties {

    /** What the gate must do, in plain variables. */
    private static final class Model {
        private long generation;
        private long sourceGeneration = 1;
        private long publishedSource;
        private boolean fenced = true;
        private long reserved = -1;
        private int active;
    }

    @Property(tries = 200)
    void admissionsFencesAndPublicationsAgreeWithAModelOnRandomTraces(@ForAll long seed) throws InterruptedException {
        Random random = new Random(seed);
        ManualClock clock = new ManualClock();
        PayoutState state = new PayoutState(
                PayoutStateConfig.DEFAULT,
                new PayoutStatePorts(
                        (deadline, cancel) -> List.of(),
                        (height, deadline) -> Optional.empty(),
                        new PayoutEvents() {},
                        new PayoutStateMetrics() {}),
                clock);
        Model model = new Model();
        List<GateTicket> tickets = new ArrayList<>();
        List<Long> ticketGenerations = new ArrayList<>();
        List<Boolean> consuming = new ArrayList<>();
        for (int step = 0; step < 300; step++) {
            switch (random.nextInt(7)) {
                case 0 -> {
                    state.invalidate(Hash256.ZERO, PayoutCause.PAYOUT_ONLY);
                    model.sourceGeneration++;
                }
                case 1 -> {
                    boolean force = random.nextInt(4) == 0;
                    boolean closes = !model.fenced && (force || model.publishedSource != model.sourceGeneration);
                    assertThat(state.fence(force)).isEqualTo(closes);
                    model.fenced |= closes;
                }
                case 2 -> publish(state, model, clock, tickets, random);
                case 3 -> {
                    if (!tickets.isEmpty()) {
                        int i = random.nextInt(tickets.size());
                        boolean delivered = random.nextBoolean();
                        if (delivered) {
                            tickets.get(i).delivered();
                        } else {
                            tickets.get(i).close();
                        }
                        if (delivered && consuming.get(i) && model.reserved == ticketGenerations.get(i)) {
                            model.reserved = -1;
                        }
                        tickets.remove(i);
                        ticketGenerations.remove(i);
                        consuming.remove(i);
                        model.active--;
                    }
                }
                default -> {
                    long generation = Math.max(0, model.generation + random.nextInt(3) - 1);
                    GateCaller caller = GateCaller.values()[random.nextInt(3)];
                    boolean cancelled = random.nextInt(10) == 0;
                    GateAdmission admission = state.tryAdmit(generation, caller, cancelled, 0);
                    assertThat(admission.verdict()).isEqualTo(expected(model, generation, caller, cancelled));
                    if (admission.ticket().isPresent()) {
                        tickets.add(admission.ticket().get());
                        ticketGenerations.add(generation);
                        consuming.add(caller == GateCaller.PRIORITY);
                        model.active++;
                    }
                }
            }
            PayoutSnapshot now = state.snapshot();
            assertThat(now.activeDeliveries()).isEqualTo(model.active);
            assertThat(now.fenced()).isEqualTo(model.fenced);
            assertThat(now.published().generation()).isEqualTo(model.generation);
            assertThat(now.source().generation()).isEqualTo(model.sourceGeneration);
            assertThat(now.reservedGeneration()).isEqualTo(model.reserved);
        }
    }

    private static void publish(
            PayoutState state, Model model, ManualClock clock, List<GateTicket> tickets, Random random)
            throws InterruptedException {
        PayoutCandidate candidate = state.candidate();
        boolean stale = random.nextInt(4) == 0;
        if (stale) {
            state.invalidate(Hash256.ZERO, PayoutCause.RECONCILIATION);
            model.sourceGeneration++;
        }
        Deadline deadline = Deadline.after(Duration.ZERO, clock, "test");
        PublishOutcome outcome = state.publish(candidate, deadline, CancelSignal.never());
        if (stale) {
            assertThat(outcome).isInstanceOf(PublishOutcome.Superseded.class);
        } else if (!tickets.isEmpty()) {
            assertThat(outcome).isInstanceOf(PublishOutcome.GateTimedOut.class);
            model.fenced |= model.publishedSource != model.sourceGeneration;
        } else {
            assertThat(outcome).isInstanceOf(PublishOutcome.Published.class);
            model.generation++;
            model.publishedSource = model.sourceGeneration;
            model.fenced = false;
            model.reserved = model.generation;
        }
    }

    private static GateVerdict expected(Model model, long generation, GateCaller caller, boolean cancelled) {
        if (cancelled) {
            return GateVerdict.CANCELLED;
        }
        if (model.fenced) {
            return GateVerdict.FENCED;
        }
        if (generation < model.generation) {
            return GateVerdict.STALE;
        }
        if (generation == model.reserved && caller == GateCaller.ROUTINE) {
            return GateVerdict.RESERVED;
        }
        return generation > model.generation ? GateVerdict.WAIT_FUTURE : GateVerdict.ADMITTED;
    }
}
