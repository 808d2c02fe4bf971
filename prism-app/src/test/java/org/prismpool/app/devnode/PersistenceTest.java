package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.devnode.chain.DifficultyMode;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Transaction;

/** The data directory: what a node knew is known to the next one on it, however the first one ended. */
class PersistenceTest {

    private static final String PLAIN_TX =
            "020000000122222222222222222222222222222222222222222222222222222222222222220000000003222222ffffffff01e803000000"
                    + "000000225220222222222222222222222222222222222222222222222222222222222222222200000000";

    @TempDir
    private Path directory;

    @Test
    void chainSideBranchesDecisionsMempoolAndAddressesSurvive() {
        Hash256 genesis = Network.REGTEST.genesisHash();
        Hash256 tip;
        Hash256 side;
        Hash256 invalid;
        String thirdAddress;
        try (DevNode node = open()) {
            List<Hash256> main = node.control().mine(3);
            side = node.control().mineFork(genesis, 1).get(0);
            invalid = main.get(2);
            node.control().invalidate(invalid);
            tip = main.get(1);
            node.control().addTransaction(Transaction.parseHex(PLAIN_TX), 500);
            node.call("getnewaddress");
            node.call("getnewaddress");
            try (DevNode fresh = DevNode.start(DevNodeConfig.forTests())) {
                fresh.call("getnewaddress");
                fresh.call("getnewaddress");
                thirdAddress = fresh.call("getnewaddress").result().asText();
            }
        }

        try (DevNode node = open()) {
            assertThat(node.control().tip().hash()).isEqualTo(tip);
            assertThat(node.control().block(side)).isPresent();
            assertThat(node.control().isActive(side)).isFalse();
            assertThat(node.call("getnewaddress").result().asText()).isEqualTo(thirdAddress);
            assertThat(node.call("getblocktemplate", Map.of("rules", List.of("segwit")))
                            .result()
                            .path("coinbasevalue")
                            .asLong())
                    .isEqualTo(21_000_000_500L);
            node.control().reconsider(invalid);
            assertThat(node.control().tip().hash()).isEqualTo(invalid);
        }
    }

    @Test
    void aTornTailLosesOnlyTheLastBlock() throws IOException {
        List<Hash256> mined;
        try (DevNode node = open()) {
            mined = node.control().mine(3);
        }
        Path log = onlyFile();
        byte[] bytes = Files.readAllBytes(log);
        Files.write(log, Arrays.copyOf(bytes, bytes.length - 10));

        try (DevNode node = open()) {
            assertThat(node.control().tip().hash()).isEqualTo(mined.get(1));
            node.control().mine(1);
        }
        try (DevNode node = open()) {
            assertThat(node.control().tip().height()).isEqualTo(3);
        }
    }

    @Test
    void blocksAreReadableByOthersBeforeTheNodeCloses() throws IOException {
        try (DevNode node = open()) {
            node.control().mine(2);
            // A killed process closes nothing: what counts is what the file holds now.
            Path copy = Files.createDirectory(directory.resolve("copy"));
            Files.copy(onlyFile(), copy.resolve(onlyFile().getFileName()));

            try (DevNode after = DevNode.start(DevNodeConfig.forTests().withDataDirectory(copy))) {
                assertThat(after.control().tip().hash())
                        .isEqualTo(node.control().tip().hash());
            }
        }
    }

    @Test
    void aBlockFromTheFutureOfTheNewClockIsStillKnown() {
        try (DevNode node = open()) {
            node.control().setTime(4_000_000_000L);
            node.control().mine(1);
        }

        try (DevNode node = open()) {
            assertThat(node.control().tip().height()).isEqualTo(1);
        }
    }

    @Test
    void otherChainParametersAreRefused() {
        open().close();

        assertThatThrownBy(() -> DevNode.start(DevNodeConfig.forTests()
                        .withDifficulty(new DifficultyMode.Fixed(0x1e00ffff))
                        .withDataDirectory(directory.resolve("data"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("other chain parameters");
        open().close();
    }

    @Test
    void theDirectoryIsUsedByOneNodeAtATime() {
        try (DevNode first = open()) {
            assertThat(first.control().tip().height()).isZero();
            assertThatThrownBy(this::open)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void theDemoStartsWithOneFreshBlockAndAddsNoneWhileItIsFresh() {
        DevNodeConfig config = DevNodeConfig.forDemo().withDataDirectory(directory.resolve("demo"));
        try (DevNode node = DevNode.start(config)) {
            assertThat(node.control().tip().height()).isEqualTo(1);
            assertThat(node.call("getmininginfo")
                            .result()
                            .path("next")
                            .path("bits")
                            .asText())
                    .isEqualTo("1e00ffff");
        }
        try (DevNode node = DevNode.start(config)) {
            assertThat(node.control().tip().height()).isEqualTo(1);
        }
    }

    private DevNode open() {
        return DevNode.start(DevNodeConfig.forTests().withDataDirectory(directory.resolve("data")));
    }

    private Path onlyFile() throws IOException {
        try (var files = Files.list(directory.resolve("data"))) {
            return files.findFirst().orElseThrow();
        }
    }
}
