package org.prismpool.sharewriter.postgres;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.postgresql.PGConnection;
import org.prismpool.sharewriter.block.AcceptedBlock;
import org.prismpool.sharewriter.block.PayoutAccount;

/**
 * A block's payout entries and journal rows, one array a column: shares wait while their lease row is locked, and a
 * statement with twelve parameters for each of a thousand accounts takes longer to write and to read than to execute.
 */
final class AccountColumns {

    private static final String ENTRIES = "INSERT INTO qbit_pool_payout_entries (block_hash, block_height, miner_id,"
            + " payout_order_key, p2mr_program, onchain_amount_sats, carry_forward_balance_sats, action)"
            + " SELECT ?, ?, unnest(?::text[]), unnest(?::text[]), unnest(?::bytea[]), unnest(?::int8[]),"
            + " unnest(?::numeric[]), unnest(?::text[])";

    private static final String JOURNAL = "INSERT INTO qbit_payout_carry_forward (block_hash, block_height, miner_id,"
            + " payout_order_key, p2mr_program, gross_amount_sats, prior_balance_sats, candidate_balance_sats,"
            + " onchain_amount_sats, settlement_fee_sats, carry_forward_balance_sats, action)"
            + " SELECT ?, ?, unnest(?::text[]), unnest(?::text[]), unnest(?::bytea[]), unnest(?::int8[]),"
            + " unnest(?::numeric[]), unnest(?::numeric[]), unnest(?::int8[]), unnest(?::int8[]), unnest(?::numeric[]),"
            + " unnest(?::text[])";

    private final AcceptedBlock block;
    private final PGConnection driver;
    private final PreparedStatement statement;
    private int bound;

    private AccountColumns(Connection connection, PreparedStatement statement, AcceptedBlock block)
            throws SQLException {
        this.block = block;
        this.driver = connection.unwrap(PGConnection.class);
        this.statement = statement;
        statement.setString(++bound, block.blockHash());
        statement.setLong(++bound, block.height());
        texts(PayoutAccount::minerId);
        texts(PayoutAccount::orderKey);
        column(
                "bytea",
                accounts().stream().map(account -> account.program().bytes()).toArray(byte[][]::new));
    }

    /** Writes the rows of both tables in the order of the accounts. */
    static void insert(Connection connection, AcceptedBlock block) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ENTRIES)) {
            AccountColumns columns = new AccountColumns(connection, statement, block);
            columns.amounts(PayoutAccount::onchainSats);
            columns.balances(PayoutAccount::carryForwardSats);
            columns.actions();
            statement.executeUpdate();
        }
        try (PreparedStatement statement = connection.prepareStatement(JOURNAL)) {
            AccountColumns columns = new AccountColumns(connection, statement, block);
            columns.amounts(PayoutAccount::grossSats);
            columns.balances(PayoutAccount::priorSats);
            columns.balances(PayoutAccount::candidateSats);
            columns.amounts(PayoutAccount::onchainSats);
            columns.amounts(PayoutAccount::settlementFeeSats);
            columns.balances(PayoutAccount::carryForwardSats);
            columns.actions();
            statement.executeUpdate();
        }
    }

    private List<PayoutAccount> accounts() {
        return block.accounts();
    }

    private void texts(Function<PayoutAccount, String> value) throws SQLException {
        column("text", accounts().stream().map(value).toArray(String[]::new));
    }

    private void actions() throws SQLException {
        texts(account -> account.action().text());
    }

    private void amounts(ToLongFunction<PayoutAccount> value) throws SQLException {
        column("int8", accounts().stream().mapToLong(value).toArray());
    }

    private void balances(Function<PayoutAccount, BigInteger> value) throws SQLException {
        column("numeric", accounts().stream().map(value).map(BigDecimal::new).toArray(BigDecimal[]::new));
    }

    private void column(String type, Object values) throws SQLException {
        statement.setArray(++bound, driver.createArrayOf(type, values));
    }
}
