package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Retry signal and pending token against models of their words in spec 07 §2.8. */
class SignalProperties {

    private enum Op {
        ARM,
        CONSUME,
        MARK,
        CONSUME_TO_MARK
    }

    private enum TokenOp {
        PRODUCE,
        CLAIM,
        PASS_INSTALLS,
        CLEAR
    }

    @Provide
    Arbitrary<List<Op>> signalTraces() {
        return Arbitraries.of(Op.class).list().ofMaxSize(60);
    }

    @Provide
    Arbitrary<List<TokenOp>> tokenTraces() {
        return Arbitraries.of(TokenOp.class).list().ofMaxSize(60);
    }

    @Property
    void aConsumptionTakesExactlyWhatWasArmedBeforeIt(@ForAll("signalTraces") List<Op> trace) {
        RetrySignal signal = new RetrySignal();
        List<Boolean> latched = new ArrayList<>(); // one entry for each arming: still latched?
        long mark = 0;
        for (Op op : trace) {
            switch (op) {
                case ARM -> {
                    signal.arm();
                    latched.add(true);
                }
                case CONSUME -> {
                    long expected = latched.stream().filter(on -> on).count();
                    assertThat(signal.consume()).isEqualTo(expected);
                    latched.replaceAll(on -> false);
                }
                case MARK -> mark = signal.mark();
                case CONSUME_TO_MARK -> {
                    signal.consumeUpTo(mark);
                    for (int i = 0; i < mark; i++) {
                        latched.set(i, false);
                    }
                }
            }
            assertThat(signal.isArmed()).isEqualTo(latched.contains(true));
        }
    }

    @Property
    void onlyTheOwnerOfTheNewestTokenClearsIt(@ForAll("tokenTraces") List<TokenOp> trace) {
        PendingRefresh pending = new PendingRefresh();
        long newest = 0;
        boolean open = false;
        long claim = 0;
        for (TokenOp op : trace) {
            switch (op) {
                case PRODUCE -> {
                    assertThat(pending.install(0)).isEqualTo(++newest);
                    open = true;
                }
                case CLAIM -> {
                    claim = pending.claim();
                    assertThat(claim).isEqualTo(newest);
                }
                case PASS_INSTALLS -> {
                    boolean own = claim == newest;
                    claim = pending.installUnlessNewer(claim, 0);
                    if (own) {
                        newest++;
                        open = true;
                        assertThat(claim).isEqualTo(newest);
                    }
                }
                case CLEAR -> {
                    boolean owned = claim == newest;
                    assertThat(pending.clear(claim)).isEqualTo(owned);
                    open = open && !owned;
                }
            }
            assertThat(pending.pending()).isEqualTo(open);
            assertThat(pending.owns(claim)).isEqualTo(claim == newest);
            assertThat(pending.newestPending().isPresent()).isEqualTo(open);
        }
    }
}
