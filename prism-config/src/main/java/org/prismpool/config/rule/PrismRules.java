package org.prismpool.config.rule;

import java.util.List;
import java.util.stream.Stream;

/** All cross-field rules of the coordinator. Source: spec 01 §3. */
public final class PrismRules {

    private PrismRules() {}

    /**
     * Returns the rules in the order they run.
     *
     * @return rules of all families
     */
    public static List<Rule> all() {
        return Stream.of(
                        NodeRules.rules(),
                        StratumRules.rules(),
                        DifficultyRules.rules(),
                        PayoutRules.rules(),
                        LedgerRules.rules(),
                        TimingRules.rules(),
                        ProductionRules.rules())
                .flatMap(List::stream)
                .toList();
    }
}
