package org.prismpool.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.config.variable.Variable;
import picocli.CommandLine;

class ConfigCommandTest {

    private record Outcome(int status, String out, String err) {}

    private static final Map<String, String> LAB = Map.of(
            "QBIT_RPC_HOST", "q",
            "QBIT_RPC_USER", "u",
            "QBIT_RPC_PASSWORD", "rpc-hunter2",
            "PRISM_DATABASE_URL", "postgresql://pool:db-hunter2@db:5432/pool",
            "PRISM_ALLOW_TEST_SIGNING_SEEDS", "1",
            "PRISM_ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY", "1");

    private static Outcome prism(Map<String, String> environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = PrismCommand.commandLine(environment);
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int status = line.execute(arguments);
        return new Outcome(status, out.toString(), err.toString());
    }

    private static Map<String, String> lab(String... more) {
        Map<String, String> copy = new HashMap<>(LAB);
        for (String setting : more) {
            String[] sides = setting.split("=", 2);
            copy.put(sides[0], sides[1]);
        }
        return copy;
    }

    @Test
    void threeBadValuesAreListedAndNoSecretIsPrinted() {
        Outcome outcome = prism(
                lab("QBIT_RPC_PORT=many", "PRISM_STRATUM_PORT=0", "PRISM_MANIFEST_SIGNING_SEED_HEX=" + "5e".repeat(31)),
                "config",
                "print");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err())
                .contains("QBIT_RPC_PORT=many", "PRISM_STRATUM_PORT=0", "PRISM_MANIFEST_SIGNING_SEED_HEX=***");
        assertThat(outcome.out() + outcome.err()).doesNotContain("hunter2", "5e5e5e");
    }

    @Test
    void whatIsInEffectIsPrintedWithSecretsMasked() {
        Outcome outcome = prism(LAB, "config", "print", "--effective");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.out().lines())
                .contains(
                        "QBIT_RPC_PASSWORD=***",
                        "PRISM_DATABASE_URL=postgresql://pool:***@db:5432/pool",
                        "PRISM_STRATUM_PORT=3340");
    }

    @Test
    void onlyWhatWasSetIsPrintedWithItsSource() {
        Outcome outcome = prism(lab("PRISM_STRATUM_PORT=4000"), "config", "print", "--diff", "--show-source");

        assertThat(outcome.out().lines())
                .hasSize(7)
                .anyMatch(line -> line.startsWith("PRISM_STRATUM_PORT=4000 # given; "));
    }

    @Test
    void defaultsAreThoseOfTheRegistryWhateverIsSet() {
        Outcome outcome = prism(lab("PRISM_STRATUM_PORT=4000"), "config", "print", "--defaults");

        assertThat(outcome.out().lines())
                .hasSize(PrismConfiguration.registry().variables().size())
                .contains("PRISM_STRATUM_PORT=3340", "QBIT_RPC_HOST=required");
    }

    @Test
    void twoViewsAtOnceAreAUsageError() {
        assertThat(prism(LAB, "config", "print", "--diff", "--defaults").status())
                .isEqualTo(2);
    }

    @Test
    void theDocumentNamesValueSourceTypeAndRange() throws Exception {
        JsonNode document = new ObjectMapper()
                .readTree(prism(LAB, "config", "print", "--json").out());

        assertThat(document.get("schema").asText()).isEqualTo("prism.config.v1");
        assertThat(document.get("ok").asBoolean()).isTrue();
        assertThat(document.get("settings").get(0).toString())
                .startsWith("{\"name\":\"QBIT_RPC_HOST\",\"value\":\"q\",\"source\":\"given\",\"type\":\"host\"");
    }

    @Test
    void everyVariableCanBeExplained() {
        String all = prism(LAB, "config", "explain").out();
        for (Variable<?> variable : PrismConfiguration.registry().variables()) {
            assertThat(all).contains(variable.name() + "\n");
        }
        assertThat(all).doesNotContain("hunter2");
    }

    @Test
    void anExplanationNamesRangeDefaultOwnerRulesAndSource() {
        String text = prism(
                        lab("PRISM_WATCHDOG_TIMEOUT_SECONDS=100"),
                        "config",
                        "explain",
                        "PRISM_WATCHDOG_TIMEOUT_SECONDS")
                .out();

        assertThat(text).contains("type:", "allowed:", "default:", "used by:", "rule W1:", "100 (given)");
        assertThat(prism(LAB, "config", "explain", "PRISM_WATCHDOG_ENABLED").out())
                .contains("rule W7:");
    }

    @Test
    void anUnknownNameIsAnsweredWithTheNearest() {
        Outcome outcome = prism(LAB, "config", "explain", "PRISM_STRATUM_PROT");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("did you mean PRISM_STRATUM_PORT?");
    }

    @Test
    void aLaterFileWinsAndTheProcessWinsOverFilesUnlessItIsEmpty(@TempDir Path folder) throws Exception {
        Path first = Files.writeString(folder.resolve("a.env"), "PRISM_STRATUM_PORT=4001\nPRISM_MIN_PEERS=7\n");
        Path second = Files.writeString(
                folder.resolve("b.env"), "# a comment\nexport PRISM_STRATUM_PORT='4002'\nPRISM_MAX_BLOCKS=9\n");

        Outcome outcome = prism(
                lab("PRISM_MAX_BLOCKS=10", "PRISM_MIN_PEERS="),
                "config",
                "--env-file",
                first.toString(),
                "--env-file",
                second.toString(),
                "print",
                "--diff");

        assertThat(outcome.out().lines())
                .contains("PRISM_STRATUM_PORT=4002", "PRISM_MAX_BLOCKS=10", "PRISM_MIN_PEERS=7");
    }

    @Test
    void templateAndComposeBlockNameEveryVariableWithoutAValueOfThisMachine() {
        String template = prism(LAB, "config", "template").out();
        String compose = prism(LAB, "config", "compose").out();

        assertThat(template).contains("QBIT_RPC_HOST=\n", "#PRISM_STRATUM_PORT=3340\n");
        assertThat(compose).startsWith("      QBIT_RPC_HOST: \"${QBIT_RPC_HOST:-qbitd}\"\n");
        assertThat(template + compose).doesNotContain("hunter2");
    }

    @Test
    void aRoleHasItsOwnSettingsAndRequirements() {
        Map<String, String> shared = lab("PRISM_PUBLIC_STRATUM_URL=stratum+tcp://pool.example:3340");

        Outcome missing = prism(shared, "config", "print", "--role", "public");
        assertThat(missing.status()).isEqualTo(1);
        assertThat(missing.err()).contains("PRISM_PUBLIC_DATABASE_URL").doesNotContain("SEED");

        Map<String, String> complete = new HashMap<>(shared);
        complete.put("PRISM_PUBLIC_DATABASE_URL", "postgresql://reader:db-hunter2@replica/pool");
        Outcome printed = prism(complete, "config", "print", "--role", "public");
        assertThat(printed.status()).isZero();
        assertThat(printed.out())
                .contains("PRISM_PUBLIC_API_BIND=127.0.0.1", "PRISM_PUBLIC_DATABASE_URL=postgresql://reader:***@")
                .doesNotContain("hunter2", "PRISM_DATABASE_URL", "PRISM_LEDGER");

        assertThat(prism(complete, "config", "print", "--role", "everything").status())
                .isEqualTo(2);
        assertThat(prism(complete, "config", "explain", "PRISM_PUBLIC_DATABASE_URL", "--role", "public")
                        .out())
                .contains("default:     required");
        assertThat(prism(Map.of(), "config", "template", "--role", "public").out())
                .contains("PRISM_PUBLIC_DATABASE_URL")
                .doesNotContain("PRISM_MANIFEST_SIGNING_SEED_HEX");
    }
}
