package org.prismpool.sharewriter.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Writes new shares as one statement over arrays, planned once per connection whatever the size of a batch.
 *
 * <p>Not the server's bulk load: that waits for rows inside a statement, where no timeout of the server reaches it. A writer
 * that is stopped at that moment would hold the lease row for as long as it sleeps, and no successor could take over. A
 * statement that travels as one message leaves a transaction that is idle at most, which the server ends.
 */
final class ShareInsert {

    private ShareInsert() {}

    /**
     * Writes rows whose ids do not exist.
     *
     * @param rows shares in the order of their sequences
     * @param sequences sequence of each id
     */
    static void write(Connection connection, WriterFence fence, List<PendingShare> rows, Map<String, Long> sequences)
            throws SQLException {
        long[] inOrder = rows.stream()
                .mapToLong(row -> Objects.requireNonNull(sequences.get(row.shareId()), "a new share has a sequence"))
                .toArray();
        try (PreparedStatement statement = connection.prepareStatement(ShareColumns.INSERT)) {
            ShareColumns.of(rows, inOrder).bind(connection, statement, 0, fence);
            statement.executeUpdate();
        }
    }
}
