package org.prismpool.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.prismpool.app.testing.TestSettings;
import picocli.CommandLine;

class RunCommandTest {

    private record Outcome(int status, String out, String err) {}

    private static Outcome prism(Map<String, String> environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = PrismCommand.commandLine(environment);
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int status = line.execute(arguments);
        return new Outcome(status, out.toString(), err.toString());
    }

    @Test
    void reportsEveryFindingAtOnceAndStartsNothing() {
        Outcome outcome = prism(Map.of("QBIT_RPC_PORT", "many", "PRISM_STRATUM_PORT", "70000"), "run");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err())
                .contains("QBIT_RPC_PORT=many", "PRISM_STRATUM_PORT=70000")
                .contains("QBIT_RPC_HOST", "PRISM_DATABASE_URL", "PRISM_MANIFEST_SIGNING_SEED_HEX")
                .contains("nothing was started");
    }

    @Test
    void neverPrintsASecret() {
        String seed = "5e".repeat(32);
        Map<String, String> environment = new HashMap<>();
        environment.put("PRISM_MANIFEST_SIGNING_SEED_HEX", seed + "zz");
        environment.put("QBIT_RPC_PASSWORD", "very-secret-password");
        environment.put("PRISM_DATABASE_URL", "postgresql://pool:db-secret@localhost/pool");

        Outcome outcome = prism(environment, "run");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err() + outcome.out()).doesNotContain(seed, "very-secret-password", "db-secret");
    }

    @Test
    void namesTheDatabaseThatDoesNotAnswer() {
        Outcome outcome = prism(runnable(Map.of("PRISM_DATABASE_URL", "postgresql://pool:pw@127.0.0.1:1/pool")), "run");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("the ledger cannot be opened", "127.0.0.1:1", "PRISM_DATABASE_URL");
    }

    private static Map<String, String> runnable(Map<String, String> more) {
        Map<String, String> environment = TestSettings.memory(1);
        environment.put("PRISM_STRATUM_BIND", "127.0.0.1");
        environment.put("PRISM_STRATUM_PORT", "23340");
        environment.putAll(more);
        return environment;
    }

    @Test
    void thePublicRoleReportsWhatIsMissingAtOnceAndAsksForNoKey() {
        Outcome outcome = prism(Map.of(), "run", "--role", "public");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err())
                .contains("QBIT_RPC_HOST", "QBIT_RPC_USER", "PRISM_PUBLIC_DATABASE_URL", "PRISM_PUBLIC_STRATUM_URL")
                .contains("nothing was started")
                .doesNotContain("PRISM_DATABASE_URL", "SEED", "PRISM_LEDGER");
    }

    @Test
    void thePublicRoleNamesTheDatabaseThatDoesNotAnswer() {
        Outcome outcome = prism(
                runnable(Map.of(
                        "PRISM_PUBLIC_DATABASE_URL",
                        "postgresql://reader:hunter2@127.0.0.1:1/pool",
                        "PRISM_PUBLIC_STRATUM_URL",
                        "stratum+tcp://pool.example:3340")),
                "run",
                "--role",
                "public");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err())
                .contains("the database cannot be read", "127.0.0.1:1", "PRISM_PUBLIC_DATABASE_URL")
                .doesNotContain("hunter2");
    }

    @Test
    void anUnknownRoleIsAUsageError() {
        Outcome outcome = prism(Map.of(), "run", "--role", "observer");

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("--role", "observer", "Usage: prism run");
        assertThat(prism(Map.of(), "run", "--help").out()).contains("--role=ROLE", "coordinator: without them");
    }

    @Test
    void asksForACommand() {
        Outcome outcome = prism(Map.of());

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("a command is needed", "Usage: prism");
    }

    @Test
    void tellsItsVersionAndCommands() {
        assertThat(prism(Map.of(), "--version").out()).startsWith("prism ");
        assertThat(prism(Map.of(), "--help").out())
                .contains("run", "demo", "config", "audit", "keys", "devnode", "migrate");
    }

    @Test
    void demoRefusesAProductionEnvironment() {
        Outcome outcome = prism(Map.of("QBIT_PRODUCTION", "1"), "demo", "--blocks", "1");

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("QBIT_PRODUCTION");
    }

    @Test
    void demoNamesABadOption() {
        assertThat(prism(Map.of(), "demo", "--miners", "0").err()).contains("--miners 0 needs --keep");
        assertThat(prism(Map.of(), "demo", "--blocks", "0").status()).isEqualTo(2);
    }
}
