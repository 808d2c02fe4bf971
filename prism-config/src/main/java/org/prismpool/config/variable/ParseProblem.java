package org.prismpool.config.variable;

import java.util.Optional;
import org.prismpool.config.Finding;

/** Says why a text is not a value of its type. Never carries the text itself: it may be a secret. */
public final class ParseProblem extends Exception {

    private final Finding.Code code;
    private final String rule;
    private final String problem;
    private final transient Optional<Object> nearest;

    private ParseProblem(Finding.Code code, String rule, String problem, Optional<Object> nearest) {
        super(problem);
        this.code = code;
        this.rule = rule;
        this.problem = problem;
        this.nearest = nearest;
    }

    /**
     * Creates a grammar problem.
     *
     * @param problem what the text must look like
     * @return the problem
     */
    public static ParseProblem malformed(String problem) {
        return new ParseProblem(Finding.Code.MALFORMED, "parse", problem, Optional.empty());
    }

    /**
     * Creates the problem of a decimal that is NaN or infinite.
     *
     * @return the problem
     */
    public static ParseProblem nonFinite() {
        return new ParseProblem(Finding.Code.NON_FINITE, "parse", "must be finite", Optional.empty());
    }

    /**
     * Creates a range problem.
     *
     * @param problem the range, with its bounds
     * @return the problem
     */
    public static ParseProblem range(String problem) {
        return new ParseProblem(Finding.Code.RANGE, "range", problem, Optional.empty());
    }

    /**
     * Creates a range problem whose nearest accepted value is known; lenient variables are clamped to it.
     *
     * @param problem the range, with its bounds
     * @param nearest the bound that was broken, as a value of the variable
     * @return the problem
     */
    public static ParseProblem range(String problem, Object nearest) {
        return new ParseProblem(Finding.Code.RANGE, "range", problem, Optional.of(nearest));
    }

    /**
     * Creates the problem of a value that this product does not offer.
     *
     * @param problem what to use instead
     * @return the problem
     */
    public static ParseProblem unsupported(String problem) {
        return new ParseProblem(Finding.Code.UNSUPPORTED, "parse", problem, Optional.empty());
    }

    /**
     * Returns the accepted value nearest to the refused one.
     *
     * @return the bound, empty if there is none
     */
    public Optional<Object> nearest() {
        return nearest;
    }

    /**
     * Returns what the text must look like.
     *
     * @return the problem in words
     */
    public String problem() {
        return problem;
    }

    /**
     * Returns the kind of problem.
     *
     * @return the code of the finding to make
     */
    public Finding.Code code() {
        return code;
    }

    /**
     * Returns the rule id of the finding to make.
     *
     * @return {@code parse} or {@code range}
     */
    public String rule() {
        return rule;
    }
}
