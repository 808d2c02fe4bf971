package org.prismpool.config.variable;

/**
 * Turns the text of a variable into a value. Stateless and thread-safe.
 *
 * @param <T> type of the value
 */
public interface Parser<T> {

    /**
     * Parses a text, which may be empty only for variables whose empty text is a value.
     *
     * @param text the text as given; blanks not yet stripped
     * @return the value
     * @throws ParseProblem if the text is not a value of this type or outside its range
     */
    T parse(String text) throws ParseProblem;

    /**
     * Describes the accepted values for people.
     *
     * @return for example {@code 1-65535}
     */
    String allowed();

    /**
     * Names the type and unit for people.
     *
     * @return for example {@code duration in seconds}
     */
    String type();
}
