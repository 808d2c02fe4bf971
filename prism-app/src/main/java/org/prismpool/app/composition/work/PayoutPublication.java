package org.prismpool.app.composition.work;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.state.GateAdmission;
import org.prismpool.payout.state.GateCaller;
import org.prismpool.payout.state.GateTicket;
import org.prismpool.payout.state.PayoutSnapshot;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.refresh.DetectedTip;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.PublicationGate;

/** Fences the refresher's publications with the payout gate. */
public final class PayoutPublication implements PublicationGate {

    private final PayoutState payout;
    private final CancelSignal stopping;
    private final Consumer<DetectedTip> onTip;

    /**
     * Creates the adapter.
     *
     * @param payout the gate's owner
     * @param stopping ends waits at shutdown
     * @param onTip what a newly detected tip means for the payout state; must only enqueue
     */
    public PayoutPublication(PayoutState payout, CancelSignal stopping, Consumer<DetectedTip> onTip) {
        this.payout = payout;
        this.stopping = stopping;
        this.onTip = onTip;
    }

    @Override
    public PayoutAuthority current() {
        return authority(payout);
    }

    static PayoutAuthority authority(PayoutState payout) {
        PayoutSnapshot now = payout.snapshot();
        return new PayoutAuthority(
                now.published().generation(),
                Optional.of(now.published().artifact().digest()),
                payout.appends().epoch(),
                !now.open());
    }

    @Override
    public <R> Admission<R> admit(long payoutGeneration, Deadline deadline, Function<PayoutAuthority, R> section)
            throws InterruptedException {
        GateAdmission admission = payout.admit(payoutGeneration, GateCaller.SYNCHRONIZATION, deadline, stopping);
        if (admission.ticket().isPresent()) {
            GateTicket ticket = admission.ticket().get();
            try {
                return new Admitted<>(section.apply(current()));
            } finally {
                ticket.close();
            }
        }
        return switch (admission.verdict()) {
            case WAIT_PUBLISHER, WAIT_FUTURE -> new AdmissionTimedOut<>();
            case STALE -> new WrongGeneration<>();
            default -> new Fenced<>();
        };
    }

    @Override
    public void tipDetected(DetectedTip tip) {
        onTip.accept(tip);
    }
}
