package org.prismpool.app.composition.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.prismpool.app.testing.TestSettings;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.finalization.BuildInputs;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.FeeEstimate;
import org.prismpool.templates.rpc.NodeRpc;

class PayoutRulesTest {

    private static final Hash256 A = Hash256.ofDisplayHex("aa".repeat(32));
    private static final Hash256 B = Hash256.ofDisplayHex("bb".repeat(32));

    private final CancelSignal never = CancelSignal.never();
    private final NodeRpc node = mock(NodeRpc.class);
    private final AtomicInteger asked = new AtomicInteger();

    /** A node whose estimate is another one at each call: 0.00001000 coins per kvB and then more. */
    private PayoutRules rules() {
        Map<String, String> settings = TestSettings.memory(1);
        settings.put("PRISM_CTV_SETTLEMENT_ENABLED", "1");
        ConfigReport report = PrismConfiguration.loader().load(settings);
        assertThat(report.ok()).as(report.render()).isTrue();
        when(node.cancelledBy(any())).thenReturn(node);
        when(node.estimateSmartFee(anyInt(), any()))
                .thenAnswer(call -> new FeeEstimate(
                        Optional.of(BigDecimal.valueOf(1000L + asked.getAndIncrement(), 8)), List.of()));
        return new PayoutRules(report.environment(), Network.REGTEST, node);
    }

    private BuildInputs on(PayoutRules rules, Hash256 parent) {
        Deadline deadline = Deadline.after(Duration.ofSeconds(10), MonotonicClock.system(), "test");
        return rules.inputsFor(parent, deadline, never);
    }

    private static long rate(BuildInputs rules) {
        return rules.ctvSettlement()
                .orElseThrow()
                .fanoutFeeRatePolicy()
                .orElseThrow()
                .marketFeeRateSatsPer1000Weight();
    }

    @Test
    void asksForTheFeeOnceForEachParentEvenAcrossAReorganisation() {
        PayoutRules rules = rules();

        BuildInputs first = on(rules, A);
        assertThat(rate(first)).isEqualTo(1000);
        assertThat(rate(on(rules, B))).isEqualTo(1001);
        assertThat(on(rules, A)).as("back on the first parent").isSameAs(first);
        verify(node, times(2)).estimateSmartFee(anyInt(), any());
    }

    @Test
    void remembersNotMoreParentsThanAReorganisationNeeds() {
        PayoutRules rules = rules();
        BuildInputs first = on(rules, A);
        for (int i = 0; i < 16; i++) {
            on(rules, Hash256.ofDisplayHex(String.format("%064x", i + 1)));
        }

        assertThat(rate(on(rules, A))).isNotEqualTo(rate(first));
    }
}
