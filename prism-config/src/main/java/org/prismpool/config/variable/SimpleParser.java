package org.prismpool.config.variable;

/** A parser made of a function and two descriptions. */
record SimpleParser<T>(String type, String allowed, Body<T> body) implements Parser<T> {

    @Override
    public T parse(String text) throws ParseProblem {
        return body.parse(text);
    }

    /** The parsing itself. */
    interface Body<T> {
        T parse(String text) throws ParseProblem;
    }
}
