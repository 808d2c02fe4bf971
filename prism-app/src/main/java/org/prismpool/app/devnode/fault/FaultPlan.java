package org.prismpool.app.devnode.fault;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The faults that wait for calls. A call takes one use of every rule whose pattern matches its method. Thread-safe.
 *
 * <p>A pattern is a method name in which {@code *} stands for any characters.
 */
public final class FaultPlan {

    /** Number of calls that means "until cleared". */
    public static final int UNTIL_CLEARED = Integer.MAX_VALUE;

    private static final int LARGEST_RULE_SET = 1_024;

    private static final class Rule {

        private final Pattern methods;
        private final Fault fault;
        private int left;

        private Rule(Pattern methods, Fault fault, int left) {
            this.methods = methods;
            this.fault = fault;
            this.left = left;
        }
    }

    private final Object lock = new Object();
    private final List<Rule> rules = new ArrayList<>();

    /** Creates an empty plan. */
    public FaultPlan() {}

    /**
     * Adds a fault.
     *
     * @param methodPattern which calls it strikes
     * @param fault what goes wrong
     * @param calls how often, 1 or more; {@link #UNTIL_CLEARED} for always
     * @throws IllegalStateException when more than 1024 rules wait
     */
    public void add(String methodPattern, Fault fault, int calls) {
        if (calls < 1) {
            throw new IllegalArgumentException("calls must be 1 or more");
        }
        String regex = "\\Q" + methodPattern.replace("*", "\\E.*\\Q") + "\\E";
        synchronized (lock) {
            if (rules.size() >= LARGEST_RULE_SET) {
                throw new IllegalStateException("too many faults wait");
            }
            rules.add(new Rule(Pattern.compile(regex), fault, calls));
        }
    }

    /**
     * Adds a gate that holds every call of a method, before the work is done, until it is released.
     *
     * @param methodPattern which calls it holds
     * @return the gate
     */
    public Gate hold(String methodPattern) {
        Gate gate = new Gate();
        add(methodPattern, new Fault.Hold(gate, CallPoint.BEFORE_PROCESSING), UNTIL_CLEARED);
        return gate;
    }

    /** Forgets every fault and opens every gate. */
    public void clear() {
        List<Rule> forgotten;
        synchronized (lock) {
            forgotten = List.copyOf(rules);
            rules.clear();
        }
        for (Rule rule : forgotten) {
            if (rule.fault instanceof Fault.Hold hold) {
                hold.gate().release();
            }
        }
    }

    /**
     * Takes the faults of one call.
     *
     * @param method name of the method
     * @return in the order they were added; usually empty
     */
    public List<Fault> take(String method) {
        List<Fault> taken = new ArrayList<>();
        synchronized (lock) {
            for (Iterator<Rule> all = rules.iterator(); all.hasNext(); ) {
                Rule rule = all.next();
                if (rule.methods.matcher(method).matches()) {
                    taken.add(rule.fault);
                    if (rule.left != UNTIL_CLEARED && --rule.left == 0) {
                        all.remove();
                    }
                }
            }
        }
        return taken;
    }
}
