package org.prismpool.app.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.composition.Coordinator;
import org.prismpool.app.devnode.PaidBlock;
import org.prismpool.app.devnode.RegtestNode;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.rpc.BlockPlace;
import org.prismpool.templates.rpc.RpcCredentials;

/**
 * The whole coordinator over HTTP on a regtest node that it did not start: a development node, or an outside one as
 * {@link RegtestNode} says. The chain is changed by calls that every node of the family has.
 */
@ExtendWith(SharedPostgres.class)
class PoolOnRegtestNodeIT {

    @TempDir
    private Path directory;

    private final RegtestNode node = RegtestNode.open();
    private final Set<String> acknowledged = new LinkedHashSet<>();
    private Books books;
    private Coordinator pool;
    private TestMiner miner;

    @BeforeEach
    void start(SharedPostgres.Server postgres) throws Exception {
        mineForeignBlock(); // a fresh tip, or the node counts as downloading
        String dsn = postgres.freshDatabase();
        Map<String, String> settings = TestPool.settings(dsn, directory);
        settings.put("QBIT_RPC_HOST", node.endpoint().host());
        settings.put("QBIT_RPC_PORT", Integer.toString(node.endpoint().port()));
        if (node.endpoint().credentials() instanceof RpcCredentials.CookieFile cookie) {
            settings.put("PRISM_QBIT_RPC_COOKIE_FILE", cookie.file().toString());
        } else {
            String[] pair = node.endpoint().credentials().userInfo().split(":", 2);
            settings.put("QBIT_RPC_USER", pair[0]);
            settings.put("QBIT_RPC_PASSWORD", pair[1]);
        }
        books = new Books(dsn, new AskedChain(node), directory.resolve("audit"), TestPool.LEDGER_KEY);
        pool = TestPool.coordinator(settings);
        assertThat(pool.start()).isTrue();
        miner = new TestMiner(pool.stratumPort(), TestPool.MINER_A + ".rig");
    }

    @AfterEach
    void stop() throws Exception {
        miner.close();
        pool.requestStop(OptionalInt.empty());
        pool.stop("test");
        books.close();
        node.close();
    }

    /** The node's word over HTTP. */
    private record AskedChain(RegtestNode node) implements Books.Chain {
        @Override
        public boolean isActive(Hash256 hash) {
            return node.rpc()
                    .getBlockHeader(hash, RegtestNode.soon())
                    .filter(BlockPlace::active)
                    .isPresent();
        }

        @Override
        public Transaction coinbase(Hash256 hash) throws IOException {
            try {
                return Transaction.parseHex(node.ask("getblock", hash.displayHex(), 2)
                        .at("/tx/0/hex")
                        .asText());
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    private Hash256 tip() {
        return node.rpc().getBestBlockHash(RegtestNode.soon());
    }

    private Hash256 mineForeignBlock() {
        PaidBlock foreign =
                PaidBlock.job(node.template(), PaidBlock.recipients(1)).solved(1);
        assertThat(node.submit(foreign.block().hex())).isEmpty();
        return foreign.block().hash();
    }

    private Hash256 land() {
        TestMiner.Solve solve = miner.solve(miner.awaitJobOn(tip()));
        JsonNode answer = miner.submitted(solve);
        assertThat(answer.path("result").asBoolean()).as(answer.toString()).isTrue();
        acknowledged.add(miner.shareId(solve));
        await("settled")
                .atMost(TestMiner.PATIENCE)
                .until(() -> books.outboxState(solve.hash()).equals("submitted"));
        assertThat(tip()).isEqualTo(solve.hash());
        return solve.hash();
    }

    private void awaitState(Hash256 hash, String state) {
        await(state)
                .atMost(TestMiner.PATIENCE)
                .until(() -> books.chainState(hash).equals(state));
    }

    @Test
    void blocksAreFoundAccountedTakenBackByAReorganisationAndReturned() throws Exception {
        List<Hash256> landed = new ArrayList<>();
        for (int block = 0; block < 3; block++) {
            landed.add(land());
        }
        assertThat(landed).extracting(books::chainState).containsOnly("confirmed");
        assertThat(landed).extracting(books::ordinal).containsExactly(1L, 2L, 3L);
        books.assertConsistent(acknowledged);

        Hash256 last = landed.get(2);
        node.ask("invalidateblock", last.displayHex());
        Hash256 foreign = mineForeignBlock();
        awaitState(last, "inactive");
        miner.awaitJobOn(foreign);
        books.assertConsistent(acknowledged);

        long before = System.nanoTime();
        node.ask("invalidateblock", foreign.displayHex());
        node.ask("reconsiderblock", last.displayHex());
        assertThat(tip()).isEqualTo(last);
        awaitState(last, "confirmed");
        assertThat(books.ordinal(last)).as("keeps its ordinal").isEqualTo(3);
        miner.awaitJob("new work", job -> job.parent().equals(last) && job.arrivedNanos() > before);
        land();
        books.assertConsistent(acknowledged);
    }
}
