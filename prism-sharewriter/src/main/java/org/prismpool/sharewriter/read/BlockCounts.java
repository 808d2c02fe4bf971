package org.prismpool.sharewriter.read;

import java.util.Map;
import org.prismpool.sharewriter.block.ChainState;

/**
 * Numbers of block rows and owed accounts, for gauges.
 *
 * @param byState rows per chain state; absent means 0
 * @param owedAccounts accounts with a positive carried balance
 */
public record BlockCounts(Map<ChainState, Long> byState, long owedAccounts) {

    /** Copies the map. */
    public BlockCounts {
        byState = Map.copyOf(byState);
    }

    /**
     * Returns the rows in one state.
     *
     * @param state state
     * @return rows
     */
    public long in(ChainState state) {
        return byState.getOrDefault(state, 0L);
    }
}
