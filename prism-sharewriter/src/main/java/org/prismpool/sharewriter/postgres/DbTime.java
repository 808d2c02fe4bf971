package org.prismpool.sharewriter.postgres;

import java.time.OffsetDateTime;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** The database's own clock. */
final class DbTime {

    private DbTime() {}

    /** Reads the clock. */
    static OffsetDateTime read(DSLContext sql) {
        return sql.select(now()).fetchSingle().value1();
    }

    /** Time of the statement, not of the transaction's start. */
    static Field<OffsetDateTime> now() {
        return DSL.function("clock_timestamp", SQLDataType.TIMESTAMPWITHTIMEZONE);
    }
}
