package org.prismpool.config.rule;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.prismpool.config.ProcessRole;
import org.prismpool.config.variable.PublicRoleVariables;
import org.prismpool.config.variable.Variable;

/** All cross-field rules of the coordinator. Source: spec 01 §3. */
public final class PrismRules {

    /** What the public process has no part in: keys, ledger target, lease, and production's demands on them. */
    private static final Set<String> NOT_FOR_PUBLIC = Set.of(
            "S1", "S2", "S3", "S4", "S5", "D1", "D2", "D3", "L1", "L2", "L3", "L4", "P1", "P2", "P3", "P4", "P5", "P6",
            "P7", "P8", "P9", "P10", "P11", "P17");

    private PrismRules() {}

    /**
     * Returns the rules of one role in the order they run.
     *
     * @param role what the process serves
     * @return all rules for a coordinator; for the public process those whose variables it uses. Source: spec 01 §1.5
     */
    public static List<Rule> of(ProcessRole role) {
        if (role.coordinates()) {
            return all();
        }
        Set<String> used = new HashSet<>();
        PublicRoleVariables.groups().forEach(group -> group.variables().forEach(v -> used.add(v.name())));
        return Stream.concat(
                        all().stream()
                                .filter(rule -> !NOT_FOR_PUBLIC.contains(rule.id()))
                                .filter(rule -> rule.variables().stream()
                                        .map(Variable::name)
                                        .allMatch(used::contains)),
                        Stream.of(StratumRules.httpListenersOnly()))
                .toList();
    }

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
