package org.prismpool.delivery;

import java.util.Objects;

/**
 * Which life of a connection a request or a job belongs to; valid only for exactly this tuple.
 *
 * @param authorization plus one on each authorize
 * @param difficulty plus one on each explicit difficulty change
 * @param worker full username that is authorized; empty text before
 */
public record Generations(long authorization, long difficulty, String worker) {

    /** Checks the component. */
    public Generations {
        Objects.requireNonNull(worker, "worker");
    }
}
