package org.prismpool.app.demo;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What the demo is asked to do.
 *
 * @param miners built-in CPU miners, 0 or more
 * @param blocks accepted blocks after which it ends, 1 or more
 * @param dataDirectory where chain, ledger and audit files stay; a temporary directory otherwise
 * @param seed everything random in the demo follows from it, timings apart
 * @param port port of the Stratum listener, 0 for a free one
 * @param keep whether pool and node go on after the last block, for outside miners
 * @param memoryLedger whether shares are kept in memory instead of an embedded PostgreSQL
 */
public record DemoOptions(
        int miners, int blocks, Optional<Path> dataDirectory, long seed, int port, boolean keep, boolean memoryLedger) {

    /** Checks the ranges. */
    public DemoOptions {
        if (miners < 0 || miners > 64) {
            throw new IllegalArgumentException("--miners must be 0 to 64");
        }
        if (blocks < 1) {
            throw new IllegalArgumentException("--blocks must be 1 or more");
        }
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("--port must be 0 to 65535");
        }
        if (miners == 0 && !keep) {
            throw new IllegalArgumentException("--miners 0 needs --keep: nobody would find a block");
        }
    }
}
