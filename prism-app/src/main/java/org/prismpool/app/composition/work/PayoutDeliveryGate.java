package org.prismpool.app.composition.work;

import org.prismpool.delivery.DeliveryGate;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.state.GateAdmission;
import org.prismpool.payout.state.GateCaller;
import org.prismpool.payout.state.GateTicket;
import org.prismpool.payout.state.PayoutState;

/** Admits deliveries through the payout gate. */
public final class PayoutDeliveryGate implements DeliveryGate {

    private final PayoutState payout;
    private final MonotonicClock clock;

    public PayoutDeliveryGate(PayoutState payout, MonotonicClock clock) {
        this.payout = payout;
        this.clock = clock;
    }

    @Override
    public Answer tryAdmit(long payoutGeneration, boolean priority) {
        GateCaller caller = priority ? GateCaller.PRIORITY : GateCaller.ROUTINE;
        GateAdmission admission = payout.tryAdmit(payoutGeneration, caller, false, clock.nanoTime());
        if (admission.ticket().isPresent()) {
            GateTicket ticket = admission.ticket().get();
            return new Admitted(delivered -> {
                if (delivered) {
                    ticket.delivered();
                }
                ticket.close();
            });
        }
        return admission.verdict().waiting()
                ? new Wait()
                : new Refused(admission.verdict().name());
    }
}
