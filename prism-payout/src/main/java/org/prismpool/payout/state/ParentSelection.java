package org.prismpool.payout.state;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.prismpool.templates.chain.Hash256;

/** Chooses the own block that governs the balances of a child (spec 07 §6.3); no state, no waiting. */
final class ParentSelection {

    private ParentSelection() {}

    /** What the scan found. */
    sealed interface Choice {}

    /** This block governs. */
    record Governed(ParentTransition by) implements Choice {}

    /** Nothing governs: confirmed balances hold. */
    record Ungoverned() implements Choice {}

    /** Blocks are being accounted, but none of them is on the active chain yet or any more. */
    record Undecided() implements Choice {}

    /**
     * Scans the transitions.
     *
     * @param transitions all known transitions
     * @param parent parent of the child to build
     * @param parentHeight height of that parent
     * @param activeAt active chain by height; its failures pass through
     */
    static Choice select(
            Collection<ParentTransition> transitions,
            Hash256 parent,
            long parentHeight,
            LongFunction<Optional<Hash256>> activeAt) {
        List<ParentTransition> below = transitions.stream()
                .filter(t -> t.height() <= parentHeight)
                .sorted(Comparator.comparingLong(ParentTransition::height).reversed())
                .toList();
        for (ParentTransition transition : below) {
            if (transition.hash().equals(parent)) {
                return new Governed(transition);
            }
        }
        Map<Long, Optional<Hash256>> probed = new HashMap<>();
        boolean accounting = false;
        for (ParentTransition transition : below) {
            Optional<Hash256> active = probed.computeIfAbsent(transition.height(), activeAt::apply);
            if (active.isPresent() && active.get().equals(transition.hash())) {
                return new Governed(transition);
            }
            accounting |= transition.phase() != ParentPhase.PENDING;
        }
        return accounting ? new Undecided() : new Ungoverned();
    }
}
