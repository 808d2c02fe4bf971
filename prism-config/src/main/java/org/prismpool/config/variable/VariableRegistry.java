package org.prismpool.config.variable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All variables of a program in their documented order, with the prefixes under which unknown names are reported.
 * Immutable and thread-safe.
 */
public final class VariableRegistry {

    /**
     * A titled group of variables.
     *
     * @param title heading for people
     * @param variables members in order
     */
    public record Group(String title, List<Variable<?>> variables) {
        /** Copies the members. */
        public Group {
            variables = List.copyOf(variables);
        }
    }

    private final List<Group> groups;
    private final Map<String, Variable<?>> byName;
    private final Set<String> ignoredNames;
    private final List<String> prefixes;

    /**
     * Creates a registry.
     *
     * @param groups groups in documented order
     * @param prefixes name prefixes that belong to this program, such as {@code PRISM_}
     * @param ignoredNames names with such a prefix that other programs read and that are never reported as unknown
     * @throws IllegalArgumentException if a name occurs twice
     */
    public VariableRegistry(List<Group> groups, List<String> prefixes, Collection<String> ignoredNames) {
        this.groups = List.copyOf(groups);
        this.prefixes = List.copyOf(prefixes);
        this.ignoredNames = Set.copyOf(ignoredNames);
        Map<String, Variable<?>> names = new LinkedHashMap<>();
        for (Group group : groups) {
            for (Variable<?> variable : group.variables()) {
                if (names.put(variable.name(), variable) != null) {
                    throw new IllegalArgumentException("variable " + variable.name() + " is registered twice");
                }
            }
        }
        this.byName = java.util.Collections.unmodifiableMap(names);
    }

    /**
     * Returns the groups.
     *
     * @return groups in documented order
     */
    public List<Group> groups() {
        return groups;
    }

    /**
     * Returns all variables.
     *
     * @return variables in documented order
     */
    public List<Variable<?>> variables() {
        return new ArrayList<>(byName.values());
    }

    /**
     * Looks a variable up.
     *
     * @param name exact name
     * @return the variable, empty if the name is not registered
     */
    public Optional<Variable<?>> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /**
     * Tells whether a name looks like one of this program's but is not registered.
     *
     * @param name name found in an environment
     * @return true if it should be reported
     */
    public boolean isUnknown(String name) {
        return prefixes.stream().anyMatch(name::startsWith)
                && !byName.containsKey(name)
                && !ignoredNames.contains(name);
    }

    /**
     * Returns the registered name most like an unknown one.
     *
     * @param unknown the unknown name
     * @return a name within an edit distance of two, empty if there is none
     */
    public Optional<String> nearest(String unknown) {
        return byName.keySet().stream()
                .filter(name -> editDistance(name, unknown) <= 2)
                .min(java.util.Comparator.<String>comparingInt(name -> editDistance(name, unknown))
                        .thenComparing(java.util.Comparator.naturalOrder()));
    }

    private static int editDistance(String a, String b) {
        if (Math.abs(a.length() - b.length()) > 2) {
            return 3;
        }
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substitution = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(substitution, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
