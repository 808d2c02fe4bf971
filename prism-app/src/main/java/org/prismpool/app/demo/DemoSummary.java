package org.prismpool.app.demo;

import java.util.List;
import java.util.Map;

/**
 * How a demo ended.
 *
 * @param ok whether everything that was asked for happened and every check holds
 * @param seconds wall time from start to the last block
 * @param blocks accounted blocks with their checks
 * @param sharesAccepted shares that the pool accepted in this run, from built-in and outside miners
 * @param sharesRejected submissions it refused in this run, by reason
 * @param sharesInLedger rows of the share ledger
 * @param payouts coinbase payouts of all blocks by recipient, in base units
 * @param problems what does not hold beyond single blocks
 */
public record DemoSummary(
        boolean ok,
        double seconds,
        List<CheckedBlock> blocks,
        long sharesAccepted,
        Map<String, Long> sharesRejected,
        long sharesInLedger,
        Map<String, Long> payouts,
        List<String> problems) {

    /** Copies the collections. */
    public DemoSummary {
        blocks = List.copyOf(blocks);
        sharesRejected = Map.copyOf(sharesRejected);
        problems = List.copyOf(problems);
    }
}
