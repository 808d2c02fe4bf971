package org.prismpool.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.demo.EmbeddedDatabase;
import picocli.CommandLine;

class MigrateCommandIT {

    @TempDir
    private static Path directory;

    private static EmbeddedDatabase server;

    @BeforeAll
    static void start() throws IOException {
        server = EmbeddedDatabase.start(directory.resolve("postgres"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private record Outcome(int status, String out, String err) {}

    private static Outcome migrate(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = PrismCommand.commandLine(Map.of());
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        List<String> all = new ArrayList<>(List.of("migrate"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--database-url", server.dsn()));
        int status = line.execute(all.toArray(String[]::new));
        return new Outcome(status, out.toString(), err.toString());
    }

    @Test
    void theSchemaGoesUpAndItsOrdinalBackOnlyWhenConfirmed() {
        assertThat(migrate("status").out()).contains("pending ledger contract", "missing ");
        assertThat(migrate("up").out()).isEqualToIgnoringNewLines("applied 1 ledger contract");
        assertThat(migrate("up", "--json").out()).isEqualToIgnoringNewLines("{\"applied\":[]}");
        assertThat(migrate("status", "--json").out())
                .isEqualToIgnoringNewLines("{\"complete\":true,\"pending\":[],\"missing\":[]}");

        Outcome unconfirmed = migrate("revert-publication-ordinal");
        assertThat(unconfirmed.status()).isEqualTo(2);
        assertThat(unconfirmed.err())
                .contains("the order of publication of 0 blocks is lost", "--confirm revert-publication-ordinal");
        assertThat(migrate("status").out()).contains("the schema is current");
        assertThat(migrate("revert-publication-ordinal", "--confirm", "yes").status())
                .isEqualTo(2);

        Outcome confirmed = migrate("revert-publication-ordinal", "--confirm", "revert-publication-ordinal");
        assertThat(confirmed.status()).isZero();
        assertThat(confirmed.out()).contains("applied revert-publication-ordinal", "is lost");
        assertThat(migrate("status").out()).contains("missing ");
        assertThat(migrate("revert-publication-ordinal", "--confirm", "revert-publication-ordinal")
                        .out())
                .contains("the schema has no publication ordinal");
        assertThat(migrate("drill").status()).isEqualTo(2);
        assertThat(migrate("up").status()).isZero();
        assertThat(migrate("status").out()).contains("the schema is current");
        Outcome passed = migrate("drill");
        assertThat(passed.status()).isZero();
        assertThat(passed.out()).contains("shares 0, the last has sequence 0", "drill passed");
        assertThat(migrate("drill", "--expect-share-seq", "7").out())
                .contains("FINDING the last share has sequence 0, before 7", "drill failed");
        assertThat(migrate("drill", "--json").out())
                .isEqualToIgnoringNewLines("{\"shares\":0,\"highest_share_seq\":0,\"blocks\":0,\"bodies_read\":0,"
                        + "\"bodies_left_out\":0,\"leased\":false,\"findings\":[]}");
    }

    @Test
    void noDatabaseAndAnUnreachableOneHaveTheirOwnStatus() {
        StringWriter err = new StringWriter();
        CommandLine line = PrismCommand.commandLine(Map.of());
        line.setErr(new PrintWriter(err));

        assertThat(line.execute("migrate", "up")).isEqualTo(1);
        assertThat(line.execute("migrate", "status", "--database-url", "postgresql://u:db-secret@127.0.0.1:1/x"))
                .isEqualTo(3);
        assertThat(err.toString()).contains("PRISM_DATABASE_URL").doesNotContain("db-secret");
    }
}
