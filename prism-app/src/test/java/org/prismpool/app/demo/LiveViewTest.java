package org.prismpool.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.prismpool.app.composition.PoolView;
import org.prismpool.templates.chain.Network;

class LiveViewTest {

    private static final PoolView POOL = new PoolView(
            Network.REGTEST,
            Optional.of("00000000000000000000000000000000000000000000000000000001a2f85f62"),
            8,
            true,
            2,
            2,
            140,
            138,
            Map.of("stale-job", 1L, "duplicate-share", 2L),
            1,
            0.25,
            0);

    @Test
    void showsWhatTheBuiltInMinersKnowOfThemselves() {
        MinerTotals three = new MinerTotals(3, 1_240_000, 6, 14, new BigDecimal("0.0005"));

        assertThat(LiveView.text(POOL, three, "1/3"))
                .isEqualTo("1.24 MH/s  shares 140 (3 rejected)  difficulty 0.0005  jobs 6  tip 7 ..0001a2f85f62"
                        + "  miners 2  blocks 1/3");
    }

    @Test
    void withOutsideMinersOnlyTellsWhatThePoolCounts() {
        MinerTotals none = new MinerTotals(0, 0, 0, 0, BigDecimal.ZERO);

        assertThat(LiveView.text(POOL, none, "22"))
                .isEqualTo("0.25 shares/s  shares 140 (3 rejected)  tip 7 ..0001a2f85f62  miners 2  blocks 22");
    }
}
