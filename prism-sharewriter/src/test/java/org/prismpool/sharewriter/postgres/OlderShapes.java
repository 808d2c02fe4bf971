package org.prismpool.sharewriter.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.prismpool.sharewriter.TestPostgres;

/** Databases of older releases, made from the complete schema by taking away what later releases added. */
public final class OlderShapes {

    private static final List<String> STEPS = List.of("to_1_1_0", "to_1_0_0", "to_0_1_2_3", "to_0_1_2", "to_older");

    /** The contract's upgrade vector: five blocks and their journal rows. */
    private static final String DATA = "INSERT INTO qbit_pool_blocks (block_hash, block_height, parent_hash,"
            + " coinbase_txid, payout_manifest_sha256, found_at, chain_state, maturity_state, matured_at,"
            + " disconnected_at) VALUES"
            + " ('b0', 9, 'p', 'c', 'm', '2026-01-01', 'reversed', 'reversed', NULL, now()),"
            + " ('b1', 10, 'p', 'c', 'm', '2026-01-02', 'confirmed', 'mature', now(), NULL),"
            + " ('b2', 11, 'p', 'c', 'm', '2026-01-02', 'inactive', 'immature', NULL, NULL),"
            + " ('b3', 12, 'p', 'c', 'm', '2026-01-03', 'confirmed', 'immature', NULL, NULL),"
            + " ('b4', 13, 'p', 'c', 'm', '2026-01-04', 'prepared', 'immature', NULL, NULL);"
            + " INSERT INTO qbit_payout_carry_forward (block_height, block_hash, miner_id, payout_order_key,"
            + " p2mr_program, gross_amount_sats, prior_balance_sats, candidate_balance_sats, onchain_amount_sats,"
            + " carry_forward_balance_sats, action, maturity_state) VALUES"
            + " (10, 'b1', 'a', 'a', decode(repeat('aa', 32), 'hex'), 1000, 0, 1000, 0, 1000, 'onchain', 'mature'),"
            + " (11, 'b2', 'a', 'a', decode(repeat('aa', 32), 'hex'), 77, 0, 0, 0, 0, 'accrued', 'immature'),"
            + " (12, 'b3', 'a', 'a', decode(repeat('aa', 32), 'hex'), 500, 0, 0, 1500, 0, 'onchain', 'immature'),"
            + " (9, 'b0', 'a', 'a', decode(repeat('aa', 32), 'hex'), 5, 0, 0, 0, 0, 'accrued', 'reversed'),"
            + " (12, 'b3', 'c', 'c', decode(repeat('cc', 32), 'hex'), 40, 0, 0, 0, 0, 'accrued', 'immature'),"
            + " (13, 'b4', 'c', 'c', decode(repeat('cc', 32), 'hex'), 9, 0, 0, 0, 0, 'accrued', 'immature');"
            + " INSERT INTO qbit_share_ledger (share_id, miner_id, payout_order_key, p2mr_program, share_difficulty,"
            + " network_difficulty, template_height, job_id, job_issued_at, ntime, writer_id, writer_epoch)"
            + " VALUES ('s', 'a', 'a', decode(repeat('aa', 32), 'hex'), 1, 1, 1, 'j', now(), 1, 'w', 1);"
            + " INSERT INTO qbit_ledger_writer_lease (writer_id, writer_epoch, writer_session_token, lease_expires_at)"
            + " VALUES ('w', 1, 't', now())";

    private OlderShapes() {}

    /** Makes a database in the shape that a step leads to, with the contract's data or without rows; returns its address. */
    public static String make(String shape, boolean data) {
        String url = TestPostgres.emptyDatabase();
        new SchemaMigrator(PostgresTarget.parse(url)).up();
        TestPostgres.run(url, "DROP TABLE prism_schema_history");
        for (String step : STEPS) {
            TestPostgres.run(url, script(step));
            if (step.equals(shape)) {
                break;
            }
        }
        if (data) {
            TestPostgres.run(url, DATA);
        }
        return url;
    }

    private static String script(String name) {
        try (InputStream in = OlderShapes.class.getResourceAsStream("/shapes/" + name + ".sql")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
