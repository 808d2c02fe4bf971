package org.prismpool.sharewriter.postgres;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.WriterFencedException;
import org.prismpool.sharewriter.block.AcceptedBlock;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.AuditBundleRow.External;
import org.prismpool.sharewriter.block.AuditBundleRow.FoundBlockFacts;
import org.prismpool.sharewriter.block.AuditBundleRow.Inline;
import org.prismpool.sharewriter.block.PayoutAccount;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Records a new block with its bundle, payout entries and journal rows in one request: fence, all rows and commit.
 *
 * <p>Shares wait while the lease row is locked, so nothing happens in that time but the making of rows. One statement
 * has all parameters: they are built, sent and read by the server before it executes anything, one array a column. The
 * commit follows without a word from here, where a landing is rare and its code slow each time.
 */
final class LandingRequest {

    /**
     * All rows hang on the block's, and that on the fence, so the lease row is the first that is locked. The keys to the
     * block are checked when the statement ends. Always as prepared: journal rows counted in the statement that confirms
     * their block would count twice.
     */
    private static final String ROWS = "WITH fence AS (" + Transactions.FENCE_SQL + "), block AS (INSERT INTO"
            + " qbit_pool_blocks (block_hash, block_height, parent_hash, coinbase_txid, payout_manifest_sha256)"
            + " SELECT ?::text, ?::int8, ?::text, ?::text, ?::text WHERE EXISTS (SELECT FROM fence)"
            + " ON CONFLICT (block_hash) DO NOTHING RETURNING block_hash, block_height),"
            + " bundle AS (INSERT INTO qbit_pool_audit_bundles (block_hash, audit_bundle_sha256, coinbase_tx_hex,"
            + " schema_version, audit_bundle, body_uri, audit_body_byte_len, found_block_network_difficulty,"
            + " found_block_bits, found_block_coinbase_value_sats, audit_commitment_leaves_hex,"
            + " witness_merkle_leaves_hex)"
            + " SELECT block_hash, ?::text, ?::text, ?::text, ?::jsonb, ?::text, ?::int8, ?::numeric, ?::text, ?::int8,"
            + " ?::jsonb, ?::jsonb FROM block),"
            + " entries AS (INSERT INTO qbit_pool_payout_entries (block_hash, block_height, miner_id,"
            + " payout_order_key, p2mr_program, onchain_amount_sats, carry_forward_balance_sats, action)"
            + " SELECT block_hash, block_height, unnest(?::text[]), unnest(?::text[]), unnest(?::bytea[]),"
            + " unnest(?::int8[]), unnest(?::numeric[]), unnest(?::text[]) FROM block),"
            + " journal AS (INSERT INTO qbit_payout_carry_forward (block_hash, block_height, miner_id,"
            + " payout_order_key, p2mr_program, gross_amount_sats, prior_balance_sats, candidate_balance_sats,"
            + " onchain_amount_sats, settlement_fee_sats, carry_forward_balance_sats, action)"
            + " SELECT block_hash, block_height, unnest(?::text[]), unnest(?::text[]), unnest(?::bytea[]),"
            + " unnest(?::int8[]), unnest(?::numeric[]), unnest(?::numeric[]), unnest(?::int8[]), unnest(?::int8[]),"
            + " unnest(?::numeric[]), unnest(?::text[]) FROM block)"
            + " SELECT EXISTS (SELECT FROM fence), EXISTS (SELECT FROM block)";

    private static final String REQUEST = ROWS + "; COMMIT";

    private final AcceptedBlock block;
    private final List<PayoutAccount> accounts;
    private final Parameters parameters;

    private LandingRequest(AcceptedBlock block, Parameters parameters) {
        this.block = block;
        this.accounts = block.accounts();
        this.parameters = parameters;
    }

    /**
     * Writes and commits, unless the ledger has a block of this hash.
     *
     * @return false if it has: nothing is written then, and what it holds is still to be compared
     * @throws WriterFencedException without the lease
     */
    static boolean send(Connection connection, WriterFence fence, AcceptedBlock block) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(REQUEST)) {
            LandingRequest request = new LandingRequest(block, new Parameters(connection, statement, fence));
            request.block();
            request.bundle();
            request.entries();
            request.journal();
            fence.check();
            statement.execute();
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                if (!row.getBoolean(1)) {
                    throw new WriterFencedException(SqlFailures.FENCED);
                }
                return row.getBoolean(2);
            }
        }
    }

    private void block() throws SQLException {
        parameters.text(block.blockHash());
        parameters.number(block.height());
        parameters.text(block.parentHash());
        parameters.text(block.coinbaseTxid());
        parameters.text(block.payoutManifestSha256());
    }

    private void bundle() throws SQLException {
        AuditBundleRow bundle = block.bundle();
        parameters.text(bundle.sha256());
        parameters.text(bundle.coinbaseTxHex());
        parameters.text(bundle.schemaVersion());
        parameters.document(bundle.body() instanceof Inline inline ? inline.json() : null);
        @Nullable External file = bundle.body() instanceof External external ? external : null;
        parameters.text(file == null ? null : file.uri());
        parameters.number(file == null ? null : file.byteLength());
        @Nullable FoundBlockFacts facts = bundle.facts().orElse(null);
        parameters.decimal(facts == null ? null : new BigDecimal(facts.networkDifficulty()));
        parameters.text(facts == null ? null : facts.bits());
        parameters.number(facts == null ? null : facts.coinbaseValueSats());
        leaves(bundle.commitmentLeavesHex());
        leaves(bundle.witnessLeavesHex());
    }

    private void leaves(Optional<List<String>> hex) throws SQLException {
        parameters.document(hex.map(AuditBundles::array).map(JSONB::data).orElse(null));
    }

    private void entries() throws SQLException {
        recipients();
        parameters.amounts(accounts, PayoutAccount::onchainSats);
        balances(PayoutAccount::carryForwardSats);
        actions();
    }

    private void journal() throws SQLException {
        recipients();
        parameters.amounts(accounts, PayoutAccount::grossSats);
        balances(PayoutAccount::priorSats);
        balances(PayoutAccount::candidateSats);
        parameters.amounts(accounts, PayoutAccount::onchainSats);
        parameters.amounts(accounts, PayoutAccount::settlementFeeSats);
        balances(PayoutAccount::carryForwardSats);
        actions();
    }

    private void recipients() throws SQLException {
        parameters.texts(accounts, PayoutAccount::minerId);
        parameters.texts(accounts, PayoutAccount::orderKey);
        parameters.programs(accounts, account -> account.program().bytes());
    }

    private void balances(Function<PayoutAccount, BigInteger> value) throws SQLException {
        parameters.decimals(accounts, value.andThen(BigDecimal::new));
    }

    private void actions() throws SQLException {
        parameters.texts(accounts, account -> account.action().text());
    }
}
