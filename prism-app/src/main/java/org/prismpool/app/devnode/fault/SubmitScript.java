package org.prismpool.app.devnode.fault;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;

/** Answers that {@code submitblock} gives instead of the real ones: consumed in order, the last one stays. Thread-safe. */
public final class SubmitScript {

    /**
     * One answer.
     *
     * @param text what the node answers; {@code "null"} stands for acceptance
     * @param process whether the block is really taken, whatever the answer says
     */
    public record Answer(String text, boolean process) {}

    private final Object lock = new Object();
    private final Deque<Answer> answers = new ArrayDeque<>();

    /** Creates a script without answers, which changes nothing. */
    public SubmitScript() {}

    /**
     * Replaces the script.
     *
     * @param script answers in order; empty switches back to real answers
     */
    public void set(Collection<Answer> script) {
        synchronized (lock) {
            answers.clear();
            answers.addAll(script);
        }
    }

    /**
     * Takes the answer of one call.
     *
     * @return empty when the real answer counts
     */
    public Optional<Answer> next() {
        synchronized (lock) {
            return answers.size() > 1 ? Optional.of(answers.remove()) : Optional.ofNullable(answers.peek());
        }
    }
}
