package org.prismpool.sharewriter.postgres;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.LedgerDeadlineException;
import org.prismpool.sharewriter.lease.HeartbeatReport;
import org.prismpool.sharewriter.lease.LeaseHolder;
import org.prismpool.sharewriter.lease.LeaseIdentity;
import org.prismpool.sharewriter.lease.LeaseStore;

/** The lease row and the session guard. Every step is a connection of its own: the lease shares no pool with anything. */
final class PostgresLeaseStore implements LeaseStore {

    private static final Duration GUARD_CONNECT = Duration.ofSeconds(2);
    private static final Duration GUARD_STATEMENT = Duration.ofMillis(500);

    private static final String CLAIM = "INSERT INTO qbit_ledger_writer_lease AS l"
            + " (singleton, writer_id, writer_epoch, writer_session_token, lease_expires_at, updated_at)"
            + " VALUES (true, ?, ?, ?, clock_timestamp() + ? * interval '1 millisecond', clock_timestamp())"
            + " ON CONFLICT (singleton) DO UPDATE SET writer_id = excluded.writer_id,"
            + " writer_epoch = excluded.writer_epoch, writer_session_token = excluded.writer_session_token,"
            + " lease_expires_at = clock_timestamp() + ? * interval '1 millisecond', updated_at = clock_timestamp()"
            + " WHERE (l.writer_id = excluded.writer_id AND l.writer_epoch = excluded.writer_epoch"
            + " AND l.writer_session_token = excluded.writer_session_token)"
            + " OR l.lease_expires_at <= clock_timestamp() RETURNING 1";

    private static final String OBSERVE = "SELECT writer_id, writer_epoch, writer_session_token,"
            + " lease_expires_at::text, (extract(epoch FROM updated_at) * 1000000)::bigint,"
            + " greatest(0, extract(epoch FROM clock_timestamp() - updated_at) * 1000000)::bigint,"
            + " greatest(0, extract(epoch FROM lease_expires_at - clock_timestamp()) * 1000000)::bigint"
            + " FROM qbit_ledger_writer_lease WHERE singleton";

    private static final String ADOPT = "UPDATE qbit_ledger_writer_lease SET writer_session_token = ?,"
            + " lease_expires_at = clock_timestamp() + ? * interval '1 millisecond', updated_at = clock_timestamp()"
            + " WHERE singleton AND writer_id = ? AND writer_epoch = ? AND writer_session_token = ?"
            + " AND (extract(epoch FROM updated_at) * 1000000)::bigint = ? AND lease_expires_at > clock_timestamp()";

    private static final String RELEASE = "UPDATE qbit_ledger_writer_lease"
            + " SET lease_expires_at = clock_timestamp() - interval '1 second', updated_at = clock_timestamp()"
            + " WHERE singleton AND writer_id = ? AND writer_epoch = ? AND writer_session_token = ?";

    private static final int SNAPSHOTS = 3;

    private final Sessions sessions;

    PostgresLeaseStore(Sessions sessions) {
        this.sessions = sessions;
    }

    /** Advisory lock key of an identity: the first 8 bytes of a digest, so that mixed versions agree. */
    static long guardKey(String writerId, long epoch) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update("qbit-prism-writer-lease\0".getBytes(StandardCharsets.UTF_8));
            digest.update((writerId + "\0" + epoch).getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest.digest()).getLong();
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }

    @Override
    public Optional<LeaseGuard> tryGuard(LeaseIdentity identity) {
        // The socket gives up only after the monitor: ending the process is the monitor's job, not the driver's.
        Connection connection = sessions.open("qbit-prism-guard", GUARD_CONNECT, GUARD_STATEMENT, GUARD_CONNECT);
        long key = guardKey(identity.writerId(), identity.epoch());
        boolean held = false;
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_try_advisory_lock(?)")) {
            statement.setLong(1, key);
            try (ResultSet row = statement.executeQuery()) {
                held = row.next() && row.getBoolean(1);
            }
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        } finally {
            if (!held) {
                Guard.closeQuietly(connection);
            }
        }
        return held ? Optional.of(new Guard(connection, identity, key, sessions.writerName())) : Optional.empty();
    }

    @Override
    public Optional<LeaseHolder> claim(LeaseIdentity identity, Duration ttl, Duration bound) {
        return bounded(bound, connection -> {
            // A loser of the first race changes nothing and its snapshot does not show the winner: look again.
            for (int snapshot = 0; snapshot < SNAPSHOTS; snapshot++) {
                if (claimed(connection, identity, ttl)) {
                    return Optional.empty();
                }
                Optional<LeaseHolder> holder = observe(connection);
                if (holder.isPresent()) {
                    return holder;
                }
            }
            throw new SQLException("the lease row has neither a holder nor room", "55P03");
        });
    }

    private static boolean claimed(Connection connection, LeaseIdentity identity, Duration ttl) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CLAIM)) {
            statement.setString(1, identity.writerId());
            statement.setLong(2, identity.epoch());
            statement.setString(3, identity.sessionToken());
            statement.setLong(4, ttl.toMillis());
            statement.setLong(5, ttl.toMillis());
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    private static Optional<LeaseHolder> observe(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(OBSERVE);
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                return Optional.empty();
            }
            return Optional.of(new LeaseHolder(
                    row.getString(1),
                    row.getLong(2),
                    row.getString(3),
                    row.getString(4),
                    row.getLong(5),
                    Duration.ofNanos(row.getLong(6) * 1000),
                    Duration.ofNanos(row.getLong(7) * 1000)));
        }
    }

    @Override
    public boolean adopt(LeaseIdentity identity, LeaseHolder observed, Duration ttl, Duration bound) {
        return bounded(bound, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(ADOPT)) {
                statement.setString(1, identity.sessionToken());
                statement.setLong(2, ttl.toMillis());
                statement.setString(3, observed.writerId());
                statement.setLong(4, observed.epoch());
                statement.setString(5, observed.sessionToken());
                statement.setLong(6, observed.updatedAtMicros());
                return statement.executeUpdate() == 1;
            }
        });
    }

    @Override
    public boolean release(LeaseIdentity identity, Deadline deadline) {
        Duration bound = deadline.remaining();
        if (bound.toMillis() < 1) {
            throw new LedgerDeadlineException("no time left to release the writer lease");
        }
        return bounded(bound, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(RELEASE)) {
                statement.setString(1, identity.writerId());
                statement.setLong(2, identity.epoch());
                statement.setString(3, identity.sessionToken());
                return statement.executeUpdate() == 1;
            }
        });
    }

    /** Autocommit on a fresh connection, so that no lock outlives its statement. */
    private <T> T bounded(Duration bound, SessionPool.Work<T> work) {
        Duration connect = bound.compareTo(sessions.config().connectTimeout()) < 0
                ? bound
                : sessions.config().connectTimeout();
        try (Connection connection = sessions.open("qbit-prism-lease", connect, bound, bound.plusSeconds(1))) {
            try (PreparedStatement lock = connection.prepareStatement("SELECT set_config('lock_timeout', ?, false),"
                    + " CASE WHEN current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')"
                    + " THEN set_config('synchronous_commit', 'on', false) END")) {
                lock.setString(1, String.valueOf(Math.max(1, bound.toMillis())));
                lock.execute();
            }
            return work.on(connection);
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    /** The guard connection. */
    static final class Guard implements LeaseGuard {

        /**
         * Never waits: the row is renewed only if it can be locked at once. The row's locker is its xmax as a snapshot
         * shows it; it is ours if a session with this process's application name runs that transaction.
         */
        private static final String VERIFY = "WITH free AS (SELECT singleton FROM qbit_ledger_writer_lease"
                + " WHERE singleton AND writer_id = ? AND writer_epoch = ? AND writer_session_token = ?"
                + " FOR NO KEY UPDATE SKIP LOCKED),"
                + " renewed AS (UPDATE qbit_ledger_writer_lease l"
                + " SET lease_expires_at = clock_timestamp() + ? * interval '1 millisecond',"
                + " updated_at = clock_timestamp() FROM free WHERE l.singleton = free.singleton RETURNING 1),"
                + " seen AS (SELECT writer_id, writer_epoch, writer_session_token, lease_expires_at, xmax"
                + " FROM qbit_ledger_writer_lease WHERE singleton)"
                + " SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
                + " AND granted AND objsubid = 1 AND classid::bigint = ? AND objid::bigint = ?),"
                + " EXISTS (SELECT FROM seen WHERE writer_id = ? AND writer_epoch = ? AND writer_session_token = ?),"
                + " EXISTS (SELECT FROM renewed),"
                + " EXISTS (SELECT FROM seen WHERE lease_expires_at <= clock_timestamp()),"
                + " EXISTS (SELECT FROM seen"
                + " WHERE lease_expires_at <= clock_timestamp() + ? * interval '1 millisecond'),"
                + " EXISTS (SELECT FROM seen JOIN pg_stat_activity a ON a.backend_xid::text = seen.xmax::text"
                + " WHERE a.application_name = ?)";

        private final Connection connection;
        private final LeaseIdentity identity;
        private final long key;
        private final String writerName;

        Guard(Connection connection, LeaseIdentity identity, long key, String writerName) {
            this.connection = connection;
            this.identity = identity;
            this.key = key;
            this.writerName = writerName;
        }

        @Override
        public HeartbeatReport verify(Duration ttl, Duration margin) {
            try (PreparedStatement statement = connection.prepareStatement(VERIFY)) {
                int i = bindIdentity(statement, 1);
                statement.setLong(i++, ttl.toMillis());
                statement.setLong(i++, key >>> 32);
                statement.setLong(i++, key & 0xffffffffL);
                i = bindIdentity(statement, i);
                statement.setLong(i++, margin.toMillis());
                statement.setString(i, writerName);
                try (ResultSet row = statement.executeQuery()) {
                    if (!row.next()) {
                        throw new SQLException("the verification returned no row", "XX000");
                    }
                    return new HeartbeatReport(
                            row.getBoolean(1),
                            row.getBoolean(2),
                            row.getBoolean(3),
                            row.getBoolean(4),
                            row.getBoolean(5),
                            row.getBoolean(6));
                }
            } catch (SQLException failure) {
                throw SqlFailures.of(failure);
            }
        }

        private int bindIdentity(PreparedStatement statement, int from) throws SQLException {
            statement.setString(from, identity.writerId());
            statement.setLong(from + 1, identity.epoch());
            statement.setString(from + 2, identity.sessionToken());
            return from + 3;
        }

        @Override
        public void close() {
            closeQuietly(connection);
        }

        static void closeQuietly(Connection connection) {
            try {
                connection.close();
            } catch (SQLException broken) {
                org.slf4j.LoggerFactory.getLogger(Guard.class)
                        .atDebug()
                        .setCause(broken)
                        .log("closing a broken guard connection failed");
            }
        }
    }
}
