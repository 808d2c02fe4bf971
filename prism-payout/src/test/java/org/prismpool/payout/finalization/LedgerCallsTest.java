package org.prismpool.payout.finalization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.templates.chain.Hash256;

class LedgerCallsTest {

    private final ManualClock clock = new ManualClock();
    private final List<String> calls = new ArrayList<>();
    private final LedgerCalls ledger = new LedgerCalls(FinalizerConfig.DEFAULT, clock, new FinalizerMetrics() {
        @Override
        public void ledgerCall(CallClass callClass, long budgetNanos, long nanos, boolean timedOut) {
            calls.add(callClass + " " + Duration.ofNanos(budgetNanos).toSeconds() + " " + timedOut);
        }
    });

    @Test
    void aLandingStartsAtThirtySecondsAndDoublesPerLedgerTimeoutUpToTheCap() {
        Hash256 block = SolvedBlock.hash(1);
        for (int i = 0; i < 4; i++) {
            assertThatThrownBy(() -> ledger.landing(block, deadline -> {
                        throw new LedgerTimeoutException("statement cancelled");
                    }))
                    .isInstanceOf(LedgerTimeoutException.class);
        }

        assertThat(calls).containsExactly("LANDING 30 true", "LANDING 60 true", "LANDING 120 true", "LANDING 120 true");
        assertThat(ledger.landingBudget(SolvedBlock.hash(2))).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void otherFailuresDoNotEscalateAndATerminalOutcomeForgets() {
        Hash256 block = SolvedBlock.hash(1);
        assertThatThrownBy(() -> ledger.landing(block, deadline -> {
                    throw new IllegalStateException("node down");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(ledger.landingBudget(block)).isEqualTo(Duration.ofSeconds(30));
        assertThatThrownBy(() -> ledger.landing(block, deadline -> {
                    throw new LedgerTimeoutException("slow");
                }))
                .isInstanceOf(LedgerTimeoutException.class);

        ledger.forget(block);

        assertThat(ledger.landingBudget(block)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void anOutboxCallHasTheFastBudget() {
        ledger.fast(deadline -> assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(1)));

        assertThat(calls).containsExactly("FAST 1 false");
    }
}
