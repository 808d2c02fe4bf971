package org.prismpool.app.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.templates.chain.Hash256;

/** Found blocks while the database refuses what the pool wants of it: the chain comes first, the books follow. */
@ExtendWith(SharedPostgres.class)
class DatabaseChaosIT {

    @TempDir
    private Path directory;

    private TestPool pool;

    @BeforeEach
    void open(SharedPostgres.Server postgres) throws Exception {
        pool = new TestPool(postgres, directory);
        pool.start();
        pool.land();
    }

    @AfterEach
    void close() throws Exception {
        pool.close();
    }

    private void refuse(String what) {
        pool.books.execute("CREATE OR REPLACE FUNCTION test_refuse() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$");
        pool.books.execute(
                "CREATE TRIGGER test_refusal BEFORE " + what + " FOR EACH ROW EXECUTE FUNCTION test_refuse()");
    }

    private void allow(String table) {
        pool.books.execute("DROP TRIGGER test_refusal ON " + table);
    }

    private List<Path> spooled() throws Exception {
        Path spool = directory.resolve("audit/prism-unpersisted-blocks");
        if (!Files.exists(spool)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(spool)) {
            return files.toList();
        }
    }

    @Test
    void aBlockThatTheDatabaseRefusesIsOfferedAtOnceAndBookedOnceAfterTheRepair() throws Exception {
        refuse("INSERT ON qbit_block_candidate_outbox");
        TestMiner.Solve solve = pool.miner().solve(pool.miner().awaitJobOn(pool.tip()));
        JsonNode answer = pool.miner().submitted(solve);
        assertThat(answer.at("/error/0").asInt()).isEqualTo(20);
        await("the block is on the chain")
                .atMost(TestMiner.PATIENCE)
                .until(() -> pool.tip().equals(solve.hash()));
        await("the block is in the spool")
                .atMost(TestMiner.PATIENCE)
                .until(() -> spooled().size() == 1);
        assertThat(pool.books.chainState(solve.hash()))
                .as("no rows before the intent")
                .isEqualTo("absent");

        allow("qbit_block_candidate_outbox");

        pool.settled(solve.hash(), "submitted");
        pool.chainState(solve.hash(), "confirmed");
        assertThat(spooled()).isEmpty();
        assertThat(pool.books.count(
                        "SELECT count(*) FROM qbit_share_ledger WHERE share_id = ?",
                        pool.miner().shareId(solve)))
                .as("a share that was refused is not credited behind the miner's back")
                .isZero();
        pool.land();
        pool.assertBooksHold();
    }

    @Test
    void aSpooledBlockIsBookedByTheNextStart() throws Exception {
        refuse("INSERT ON qbit_block_candidate_outbox");
        TestMiner.Solve solve = pool.miner().solve(pool.miner().awaitJobOn(pool.tip()));
        pool.miner().submitted(solve);
        await("the block is in the spool")
                .atMost(TestMiner.PATIENCE)
                .until(() -> spooled().size() == 1);
        await("the block is on the chain")
                .atMost(TestMiner.PATIENCE)
                .until(() -> pool.tip().equals(solve.hash()));
        pool.stop();
        allow("qbit_block_candidate_outbox");

        pool.start();

        pool.settled(solve.hash(), "submitted");
        pool.chainState(solve.hash(), "confirmed");
        assertThat(spooled()).isEmpty();
        pool.land();
        pool.assertBooksHold();
    }

    @Test
    void aBlockWhoseRowsAreRefusedIsConfirmedOnceWhenTheyAreTaken() throws Exception {
        refuse("INSERT ON qbit_pool_payout_entries");
        Hash256 found = pool.find();
        await("an attempt")
                .atMost(TestMiner.PATIENCE)
                .until(() -> pool.books.count(
                                "SELECT attempt_count FROM qbit_block_candidate_outbox WHERE block_hash = ?",
                                found.displayHex())
                        >= 2);
        assertThat(pool.node().recorder().calls("submitblock"))
                .as("offered once each")
                .hasSize(2);

        allow("qbit_pool_payout_entries");

        pool.settled(found, "submitted");
        assertThat(pool.books.ordinal(found)).isEqualTo(2);
        pool.land();
        pool.assertBooksHold();
    }

    @Test
    void aRejectedBlockThatTheChainTakesAfterAllIsReinstatedPaidAndPublished() throws Exception {
        refuse("UPDATE ON qbit_pool_blocks"); // prepared, not confirmed yet
        Hash256 below = pool.tip();
        Hash256 found = pool.find();
        pool.chainState(found, "prepared");
        pool.miner().close();
        pool.stop();
        allow("qbit_pool_blocks");
        // Another process, or an operator, disposed of it while it was off the chain.
        pool.books.execute("UPDATE qbit_pool_blocks SET chain_state = 'rejected', maturity_state = 'reversed',"
                + " disconnected_at = clock_timestamp() WHERE block_hash = '" + found.displayHex() + "'");
        for (String table : List.of("qbit_pool_payout_entries", "qbit_payout_carry_forward")) {
            pool.books.execute("UPDATE " + table + " SET maturity_state = 'reversed' WHERE block_hash = '"
                    + found.displayHex() + "'");
        }
        pool.books.execute("UPDATE qbit_block_candidate_outbox SET state = 'abandoned', candidate = NULL,"
                + " completed_at = clock_timestamp() WHERE block_hash = '" + found.displayHex() + "'");
        assertThat(below).isNotEqualTo(pool.tip());

        pool.start();

        pool.chainState(found, "confirmed");
        await("published")
                .atMost(TestMiner.PATIENCE)
                .until(() -> Files.readString(directory.resolve("audit/evidence.json"))
                        .contains(found.displayHex()));
        pool.assertBooksHold();
        pool.land();
        pool.assertBooksHold();
    }

    @Test
    void theShareJournalOfAnOlderReleaseIsReplayedBeforeAnythingIsServed() throws Exception {
        pool.stop();
        Path journal = directory.resolve("audit/prism-unpersisted-shares.jsonl");
        Files.writeString(
                journal,
                "{\"accepted_at_ms\":1700000001000,\"credit_policy\":null,\"job_id\":\"job-1\","
                        + "\"job_issued_at_ms\":1700000000500,\"miner_id\":\"older\",\"network_difficulty\":1000000,"
                        + "\"ntime\":1700000001,\"order_key\":\"older\",\"p2mr_program_hex\":\"" + "01".repeat(32)
                        + "\",\"share_difficulty\":1000000,\"share_id\":\"older:1\",\"template_height\":1}\n");

        pool.start();

        assertThat(pool.books.count("SELECT count(*) FROM qbit_share_ledger WHERE share_id = 'older:1'"))
                .isEqualTo(1);
        assertThat(journal).doesNotExist();
        pool.land();
        pool.assertBooksHold();
    }
}
