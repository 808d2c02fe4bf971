package org.prismpool.payout.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GateTableTest {

    private static final boolean[] BOTH = {false, true};

    static Stream<Arguments> all96Combinations() {
        Stream.Builder<Arguments> rows = Stream.builder();
        for (boolean cancelled : BOTH) {
            for (boolean fenced : BOTH) {
                for (long generation : new long[] {4, 5, 6}) {
                    for (boolean priority : BOTH) {
                        for (boolean reserved : BOTH) {
                            for (boolean publisherWaiting : BOTH) {
                                rows.add(Arguments.of(
                                        cancelled, fenced, generation, priority, reserved, publisherWaiting));
                            }
                        }
                    }
                }
            }
        }
        return rows.build();
    }

    @ParameterizedTest
    @MethodSource("all96Combinations")
    void theFirstMatchingRowDecides(
            boolean cancelled,
            boolean fenced,
            long generation,
            boolean priority,
            boolean reserved,
            boolean publisherWaiting) {
        long published = 5;
        GateView view =
                new GateView(fenced, published, reserved ? generation : GateView.NOTHING_RESERVED, publisherWaiting);

        String[] rows = {
            cancelled ? "CANCELLED" : "",
            fenced ? "FENCED" : "",
            generation == 4 ? "STALE" : "",
            reserved && !priority ? "RESERVED" : "",
            publisherWaiting ? "WAIT_PUBLISHER" : "",
            generation == 6 ? "WAIT_FUTURE" : "",
            "ADMITTED"
        };
        String expected = Stream.of(rows).filter(r -> !r.isEmpty()).findFirst().orElseThrow();

        assertThat(view.verdict(generation, priority, cancelled).name()).isEqualTo(expected);
    }
}
