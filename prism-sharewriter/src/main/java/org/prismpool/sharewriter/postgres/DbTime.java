package org.prismpool.sharewriter.postgres;

import java.time.OffsetDateTime;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** The database's own clock. */
final class DbTime {

    private DbTime() {}

    /** Time of the statement, not of the transaction's start. */
    static Field<OffsetDateTime> now() {
        return DSL.function("clock_timestamp", SQLDataType.TIMESTAMPWITHTIMEZONE);
    }
}
