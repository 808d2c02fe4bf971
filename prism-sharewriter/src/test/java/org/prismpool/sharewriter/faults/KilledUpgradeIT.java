package org.prismpool.sharewriter.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.prismpool.sharewriter.LedgerException;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.postgres.OlderShapes;
import org.prismpool.sharewriter.postgres.PostgresTarget;
import org.prismpool.sharewriter.postgres.SchemaMigrator;

/** The connections of an upgrade are cut at one of its requests: the database is the old one or the complete one. */
class KilledUpgradeIT {

    private static final int MORE_THAN_ALL = 1_000_000;

    @Test
    void anUpgradeCutAtSomeOfItsRequestsChangesNothingOrEverything() {
        int requests = requestsOfAnUpgrade();
        assertThat(requests).isGreaterThan(20);
        cutAtEvery(Math.max(1, requests / 5), requests, EnumSet.of(TcpProxy.Cut.BEFORE_SEND));
    }

    @Test
    @Tag("soak")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void anUpgradeCutAtAnyOfItsRequestsChangesNothingOrEverything() {
        cutAtEvery(1, requestsOfAnUpgrade(), EnumSet.allOf(TcpProxy.Cut.class));
    }

    private static int requestsOfAnUpgrade() {
        try (TcpProxy proxy = TcpProxy.before(OlderShapes.make("to_0_1_2", true))) {
            proxy.arm(MORE_THAN_ALL, TcpProxy.Cut.BEFORE_SEND);
            new SchemaMigrator(PostgresTarget.parse(proxy.url())).up();
            return MORE_THAN_ALL - proxy.uncut();
        }
    }

    private static void cutAtEvery(int stride, int requests, Set<TcpProxy.Cut> cuts) {
        for (TcpProxy.Cut cut : cuts) {
            String url = OlderShapes.make("to_0_1_2", true);
            String old = contents(url);
            int unchanged = 0;
            for (int request = 1; request <= requests; request += stride) {
                if (upgradeCutAt(url, request, cut)) {
                    assertThat(contents(url)).as("%s request %d", cut, request).isEqualTo(old);
                    unchanged++;
                } else {
                    url = OlderShapes.make("to_0_1_2", true);
                }
            }
            assertThat(unchanged)
                    .as("upgrades that were cut before their commit")
                    .isGreaterThan(requests / stride / 3);
            SchemaMigrator migrator = new SchemaMigrator(PostgresTarget.parse(url));
            migrator.up();
            assertThat(migrator.status().complete()).isTrue();
        }
    }

    /** Returns false if the upgrade was complete before its connection was cut, or in spite of it. */
    private static boolean upgradeCutAt(String url, int request, TcpProxy.Cut cut) {
        boolean told;
        try (TcpProxy proxy = TcpProxy.before(url)) {
            proxy.arm(request, cut);
            told = tellsOfTheCut(new SchemaMigrator(PostgresTarget.parse(proxy.url())));
            assertThat(proxy.cuts()).isEqualTo(1);
        }
        boolean complete =
                new SchemaMigrator(PostgresTarget.parse(url)).status().complete();
        assertThat(told || complete)
                .as("success is only claimed of a complete schema")
                .isTrue();
        return !complete;
    }

    private static boolean tellsOfTheCut(SchemaMigrator migrator) {
        try {
            migrator.up();
            return false;
        } catch (LedgerException cut) {
            return true;
        }
    }

    /** Everything but the history of migrations: definitions and rows. */
    private static String contents(String url) {
        String objects = TestPostgres.ask(
                url,
                "SELECT md5(string_agg(what, ';' ORDER BY what)) FROM ("
                        + "SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)"
                        + " || a.attnotnull FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0"
                        + " WHERE c.relname LIKE 'qbit_%'"
                        + " UNION ALL SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint"
                        + " WHERE conname LIKE 'qbit_%'"
                        + " UNION ALL SELECT tgname || pg_get_triggerdef(oid) FROM pg_trigger WHERE tgname LIKE 'qbit_%'"
                        + " UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname LIKE 'qbit_%') o (what)");
        String rows = TestPostgres.ask(
                url,
                "SELECT md5((SELECT string_agg(b::text, ',' ORDER BY b::text) FROM qbit_pool_blocks b)"
                        + " || (SELECT string_agg(c::text, ',' ORDER BY c::text) FROM qbit_payout_carry_forward c)"
                        + " || (SELECT string_agg(s::text, ',' ORDER BY s::text) FROM qbit_share_ledger s)"
                        + " || (SELECT string_agg(l::text, ',' ORDER BY l::text) FROM qbit_ledger_writer_lease l))");
        return objects + " " + rows;
    }
}
