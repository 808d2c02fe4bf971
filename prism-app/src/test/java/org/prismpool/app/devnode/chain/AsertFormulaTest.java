package org.prismpool.app.devnode.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.templates.chain.Network;

class AsertFormulaTest {

    /** Spec 03 §1.2, anchor 18109c29, spacing 75, half-life 7200. */
    @ParameterizedTest
    @CsvSource({"75, 1, 18109c29", "7200, 0, 18213852", "100, 1, 1810a669", "0, 10, 180f746c", "7800, 200, 18084e14"})
    void theFixturesOfTheChainHold(long elapsed, long blocks, String bits) {
        int next = AsertFormula.nextBits(0x18109c29, 75, 7_200, elapsed, blocks, Network.MAINNET.powLimit());

        assertThat(Integer.toHexString(next)).isEqualTo(bits);
    }

    @Test
    void theTargetIsHeldBetweenOneAndTheLimit() {
        int late = AsertFormula.nextBits(0x1e00ffff, 10, 60, 10_000_000, 1, Network.MAINNET.powLimit());
        int early = AsertFormula.nextBits(0x1e00ffff, 10, 60, 0, 10_000_000, Network.MAINNET.powLimit());

        assertThat(Integer.toHexString(late)).isEqualTo("1f00ffff");
        assertThat(Integer.toHexString(early)).isEqualTo("1010000");
    }

    @Test
    void aScheduledNodeGetsHarderWhenBlocksComeTooFast() {
        DevNodeConfig config =
                DevNodeConfig.forTests().withDifficulty(new DifficultyMode.Asert(0x207fffff, 100, 200, 1));
        try (DevNode node = DevNode.start(config)) {
            node.control().setTime(2_000_000_000L);
            node.control().mine(1);
            assertThat(nextBits(node)).isEqualTo("207fffff");

            // The clock stands still, so the median pushes the fourth block only two seconds behind the first, where
            // 300 s were planned: exponent trunc((2 - 300) * 65536 / 200) = -97648, shift -2, fraction 33424.
            node.control().mine(3);

            assertThat(nextBits(node)).isEqualTo("202d90ff");
        }
    }

    @Test
    void scriptedBitsGoByHeightAndTheLastOneStays() {
        DevNodeConfig config =
                DevNodeConfig.forTests().withDifficulty(new DifficultyMode.Scripted(List.of(0x207fffff, 0x2000ffff)));
        try (DevNode node = DevNode.start(config)) {
            assertThat(nextBits(node)).isEqualTo("207fffff");
            node.control().mine(1);
            assertThat(nextBits(node)).isEqualTo("2000ffff");
            node.control().mine(2);
            assertThat(nextBits(node)).isEqualTo("2000ffff");
        }
    }

    @Test
    void modesRefuseWhatIsNoTarget() {
        assertThatThrownBy(() -> new DifficultyMode.Fixed(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DifficultyMode.Scripted(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DifficultyMode.Asert(0x207fffff, 0, 1, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String nextBits(DevNode node) {
        return node.call("getmininginfo").result().path("next").path("bits").asText();
    }
}
