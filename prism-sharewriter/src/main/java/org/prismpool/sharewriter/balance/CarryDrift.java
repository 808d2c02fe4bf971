package org.prismpool.sharewriter.balance;

import java.util.Optional;
import org.prismpool.sharewriter.P2mrProgram;

/**
 * A program whose maintained balance differs from the recomputed one: corruption of the summary.
 *
 * @param program payout program
 * @param current maintained balance, empty if the summary lacks it
 * @param recomputed balance from the journal, empty if the journal has none
 */
public record CarryDrift(P2mrProgram program, Optional<BalanceRow> current, Optional<BalanceRow> recomputed) {}
