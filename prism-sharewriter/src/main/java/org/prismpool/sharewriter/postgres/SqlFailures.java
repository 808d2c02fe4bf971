package org.prismpool.sharewriter.postgres;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.LedgerDeadlineException;
import org.prismpool.sharewriter.LedgerException;
import org.prismpool.sharewriter.LedgerRefusedException;
import org.prismpool.sharewriter.LedgerUnavailableException;
import org.prismpool.sharewriter.MatureBlockException;
import org.prismpool.sharewriter.WriterFencedException;

/** Tells what is known after a failure of the driver, by SQLSTATE. */
final class SqlFailures {

    static final String FENCED = "writer lease is not active";

    /** Cancelled by a timeout, refused a lock, or chosen as the victim of a deadlock: rolled back, may be repeated. */
    private static final Set<String> ROLLED_BACK = Set.of("57014", "55P03", "40001", "40P01", "25P03");

    /** Those of {@link #ROLLED_BACK} that a read, which locks nothing, meets on a standby only. */
    private static final Set<String> CONFLICT = Set.of("40001", "40P01");

    /** The server ends, starts or has no room for us: nothing is known about what was under way. */
    private static final Set<String> GONE = Set.of("57P01", "57P02", "57P03", "53300");

    private SqlFailures() {}

    static LedgerException of(SQLException failure) {
        String state = state(failure);
        String message = firstLine(failure.getMessage());
        if (ROLLED_BACK.contains(state)) {
            return new LedgerDeadlineException(message, failure);
        }
        if (state.isEmpty() || state.startsWith("08") || GONE.contains(state)) {
            return new LedgerUnavailableException(message, failure);
        }
        if (state.equals("P0001")) {
            if (message.contains(FENCED)) {
                return new WriterFencedException(FENCED, failure);
            }
            if (message.contains("refusing to ")) {
                return new MatureBlockException(message, failure);
            }
        }
        boolean data = state.startsWith("22") || state.startsWith("23");
        return new LedgerRefusedException(message, data, failure);
    }

    /** Unwraps what jOOQ puts around the driver's failure. */
    static LedgerException of(org.jooq.exception.DataAccessException failure) {
        @Nullable SQLException cause = failure.getCause(SQLException.class);
        if (cause != null) {
            return of(cause);
        }
        return new LedgerUnavailableException(firstLine(failure.getMessage()), failure);
    }

    /** Tells whether a read was cancelled because a standby had to replay what it held up. */
    static boolean recoveryConflict(LedgerDeadlineException failure) {
        return failure.getCause() instanceof SQLException cause && CONFLICT.contains(state(cause));
    }

    static boolean connectionLost(SQLException failure) {
        return of(failure) instanceof LedgerUnavailableException;
    }

    private static String state(SQLException failure) {
        String state = failure.getSQLState();
        return state == null ? "" : state;
    }

    /** The server's text, without the lines that quote rows. */
    private static String firstLine(@Nullable String message) {
        if (message == null) {
            return "database failure without a message";
        }
        String text = message.startsWith("ERROR: ") ? message.substring(7) : message;
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }
}
