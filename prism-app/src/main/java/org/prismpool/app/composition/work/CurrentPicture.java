package org.prismpool.app.composition.work;

import java.util.Optional;
import org.prismpool.delivery.CurrentState;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.templates.TemplateObservation;

/**
 * What is current, in the words of delivery, kept until something that it was made of moves: the checks of a fan-out ask
 * several times for each client.
 *
 * <p>Thread-safe: one immutable record in a volatile field; two threads that find it outdated both make the same new one.
 */
final class CurrentPicture {

    private record Made(
            WorkAuthority<TemplateObservation, PoolWork> authority,
            boolean authoritative,
            PayoutAuthority payout,
            boolean ready,
            CurrentState state) {}

    private final boolean epochMode;
    private volatile Optional<Made> last = Optional.empty();

    CurrentPicture(boolean epochMode) {
        this.epochMode = epochMode;
    }

    CurrentState of(
            WorkAuthority<TemplateObservation, PoolWork> authority,
            boolean authoritative,
            PayoutAuthority payout,
            boolean ready) {
        Optional<Made> known = last.filter(made -> same(made.authority(), authority)
                && made.authoritative() == authoritative
                && made.ready() == ready
                && made.payout().equals(payout));
        if (known.isPresent()) {
            return known.get().state();
        }
        CurrentState state = WorkKeys.current(authority, authoritative, payout, ready, epochMode);
        last = Optional.of(new Made(authority, authoritative, payout, ready, state));
        return state;
    }

    // The authority is one immutable record that is replaced as a whole; comparing contents would walk share windows.
    @SuppressWarnings("ReferenceEquality")
    private static boolean same(Object one, Object other) {
        return one == other;
    }
}
