package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_CTV_FANOUT_ARTIFACTS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_CTV_FANOUT_BROADCAST_ATTEMPTS;

import java.time.Duration;
import java.time.OffsetDateTime;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.fanout.AttemptStatus;
import org.prismpool.sharewriter.fanout.BroadcastAttempt;
import org.prismpool.sharewriter.fanout.FanoutStatus;

/** Records broadcast attempts: one detail row each, the newest kept, and the summary columns of the artifact. */
final class FanoutAttempts {

    private FanoutAttempts() {}

    static FanoutStatus record(DSLContext sql, String txid, BroadcastAttempt attempt, int detailLimit) {
        var table = QBIT_CTV_FANOUT_ARTIFACTS;
        @Nullable String text = sql.select(table.SETTLEMENT_STATUS)
                .from(table)
                .where(table.FANOUT_TXID.eq(txid))
                .forUpdate()
                .fetchOne(table.SETTLEMENT_STATUS);
        if (text == null) {
            throw new IllegalArgumentException("unknown CTV fanout txid");
        }
        FanoutStatus before = FanoutStatus.ofText(text);
        FanoutStatus after = before.after(attempt.status());
        OffsetDateTime now = sql.select(DbTime.now()).fetchSingle().value1();
        int kept = keepDetails(sql, txid, attempt, detailLimit, now);
        JSONB result = attempt.submitResultJson().map(JSONB::valueOf).orElse(null);
        boolean pauses =
                attempt.status() == AttemptStatus.PLANNED && !attempt.backoff().isZero();
        sql.update(table)
                .set(table.SETTLEMENT_STATUS, after.text())
                .set(table.UPDATED_AT, now)
                .set(table.BROADCAST_ATTEMPT_COUNT, table.BROADCAST_ATTEMPT_COUNT.plus(1))
                .set(table.BROADCAST_ATTEMPT_DETAIL_COUNT, (long) kept)
                .set(table.FIRST_BROADCAST_ATTEMPT_AT, DSL.coalesce(table.FIRST_BROADCAST_ATTEMPT_AT, now))
                .set(table.LAST_BROADCAST_ATTEMPT_AT, now)
                .set(table.LAST_BROADCAST_ATTEMPT_STATUS, attempt.status().text())
                .set(table.LAST_BROADCAST_PACKAGE_TX_HEXES, AuditBundles.array(attempt.packageTxHexes()))
                .set(table.LAST_BROADCAST_PACKAGE_TXIDS, AuditBundles.array(attempt.packageTxids()))
                .set(table.LAST_BROADCAST_SUBMIT_RESULT, result)
                .set(table.LAST_BROADCAST_ERROR, attempt.error().orElse(null))
                .set(table.BROADCAST_ATTEMPT_STATUS_COUNTS, counted(attempt.status()))
                .set(table.NEXT_BROADCAST_ATTEMPT_AT, pauses ? now.plus(attempt.backoff()) : null)
                .set(table.BROADCAST_RETRY_BACKOFF_SECONDS, backoffSeconds(attempt))
                .where(table.FANOUT_TXID.eq(txid))
                .execute();
        return after;
    }

    private static int keepDetails(
            DSLContext sql, String txid, BroadcastAttempt attempt, int detailLimit, OffsetDateTime now) {
        var details = QBIT_CTV_FANOUT_BROADCAST_ATTEMPTS;
        if (detailLimit > 0) {
            sql.insertInto(details)
                    .set(details.FANOUT_TXID, txid)
                    .set(details.ATTEMPTED_AT, now)
                    .set(details.ATTEMPT_STATUS, attempt.status().text())
                    .set(details.PACKAGE_TX_HEXES, AuditBundles.array(attempt.packageTxHexes()))
                    .set(details.PACKAGE_TXIDS, AuditBundles.array(attempt.packageTxids()))
                    .set(
                            details.SUBMIT_RESULT,
                            attempt.submitResultJson().map(JSONB::valueOf).orElse(null))
                    .set(details.ERROR, attempt.error().orElse(null))
                    .execute();
        }
        sql.deleteFrom(details)
                .where(details.FANOUT_TXID.eq(txid))
                .and(details.ATTEMPT_SEQ.notIn(DSL.select(details.ATTEMPT_SEQ)
                        .from(details)
                        .where(details.FANOUT_TXID.eq(txid))
                        .orderBy(details.ATTEMPT_SEQ.desc())
                        .limit(Math.max(0, detailLimit))))
                .execute();
        return sql.fetchCount(details, details.FANOUT_TXID.eq(txid));
    }

    private static Field<JSONB> counted(AttemptStatus status) {
        Field<JSONB> counts = QBIT_CTV_FANOUT_ARTIFACTS.BROADCAST_ATTEMPT_STATUS_COUNTS;
        return DSL.field(
                "jsonb_set({0}, array[{1}]::text[], to_jsonb(coalesce(({0} ->> {1})::bigint, 0) + 1))",
                JSONB.class, counts, DSL.inline(status.text()));
    }

    private static long backoffSeconds(BroadcastAttempt attempt) {
        Duration backoff = attempt.status() == AttemptStatus.PLANNED ? attempt.backoff() : Duration.ZERO;
        return backoff.toSeconds();
    }
}
