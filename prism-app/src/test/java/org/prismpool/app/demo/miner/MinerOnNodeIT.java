package org.prismpool.app.demo.miner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.app.devnode.chain.DifficultyMode;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Transaction;

/** The miner's headers are blocks that the node accepts: both ends of the loop without the pool in between. */
class MinerOnNodeIT {

    private static final String PLAIN_TX =
            "020000000122222222222222222222222222222222222222222222222222222222222222220000000003222222ffffffff01e803000000"
                    + "000000225220222222222222222222222222222222222222222222222222222222222222222200000000";

    @Test
    @Timeout(60)
    void sharesOfTheMinerExtendTheChainAndPayTheirFees() throws Exception {
        DevNodeConfig config = DevNodeConfig.forTests().withDifficulty(new DifficultyMode.Fixed(0x1f7fffff));
        try (DevNode node = DevNode.start(config)) {
            node.control().addTransaction(Transaction.parseHex(PLAIN_TX), 700);
            try (SmallPool pool = new SmallPool(node);
                    CpuMiner miner = new CpuMiner(CpuMinerConfig.forPool("127.0.0.1", pool.port(), "small.rig"))) {
                miner.start();
                await().atMost(Duration.ofSeconds(40)).until(() -> pool.accepted() >= 20);

                assertThat(node.control().tip().height()).isGreaterThanOrEqualTo(20);
                assertThat(miner.stats().sharesAtNetworkTarget()).isGreaterThanOrEqualTo(20);
            }
            Hash256 first = node.control().activeAt(1).orElseThrow();
            assertThat(node.control().block(first).orElseThrow().transactions()).hasSize(2);
            assertThat(node.control()
                            .block(first)
                            .orElseThrow()
                            .coinbase()
                            .outputs()
                            .get(0)
                            .valueSats())
                    .isEqualTo(21_000_000_700L);
        }
    }
}
