package org.prismpool.sharewriter.postgres;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.util.PGobject;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Binds the parameters of one statement in their order, rows as one array a column.
 *
 * <p>Each has its type, so that the server reads it as a parameter and not in the course of the statement.
 */
final class Parameters {

    private final PGConnection driver;
    private final PreparedStatement statement;
    private int bound;

    /** Begins with those of {@link Transactions#FENCE_SQL}. */
    Parameters(Connection connection, PreparedStatement statement, WriterFence fence) throws SQLException {
        this.driver = connection.unwrap(PGConnection.class);
        this.statement = statement;
        this.bound = Transactions.bindFence(statement, fence);
    }

    void text(@Nullable String value) throws SQLException {
        statement.setString(++bound, value);
    }

    void number(@Nullable Long value) throws SQLException {
        statement.setObject(++bound, value, Types.BIGINT);
    }

    void decimal(@Nullable BigDecimal value) throws SQLException {
        statement.setBigDecimal(++bound, value);
    }

    void document(@Nullable String json) throws SQLException {
        PGobject value = new PGobject();
        value.setType("jsonb");
        value.setValue(json);
        statement.setObject(++bound, value);
    }

    <R> void texts(List<R> rows, Function<R, String> value) throws SQLException {
        column("text", rows.stream().map(value).toArray(String[]::new));
    }

    <R> void documents(List<R> rows, Function<R, String> json) throws SQLException {
        column("jsonb", rows.stream().map(json).toArray(String[]::new));
    }

    <R> void programs(List<R> rows, Function<R, byte[]> value) throws SQLException {
        column("bytea", rows.stream().map(value).toArray(byte[][]::new));
    }

    <R> void integers(List<R> rows, ToIntFunction<R> value) throws SQLException {
        column("int4", rows.stream().mapToInt(value).toArray());
    }

    <R> void integersOrNull(List<R> rows, Function<R, @Nullable Integer> value) throws SQLException {
        column("int4", rows.stream().map(value).toArray(Integer[]::new));
    }

    <R> void amounts(List<R> rows, ToLongFunction<R> value) throws SQLException {
        column("int8", rows.stream().mapToLong(value).toArray());
    }

    <R> void decimals(List<R> rows, Function<R, BigDecimal> value) throws SQLException {
        column("numeric", rows.stream().map(value).toArray(BigDecimal[]::new));
    }

    private void column(String type, Object values) throws SQLException {
        statement.setArray(++bound, driver.createArrayOf(type, values));
    }
}
