package org.prismpool.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpListener;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.config.render.RegistryTables;
import org.prismpool.config.variable.Variable;

/** The deployment files say what the program and its contract say. */
class DeployFilesTest {

    private static final Path DEPLOY = Path.of("deploy");
    private static final int INDENT = 6;

    private static String text(String file) throws IOException {
        return Files.readString(DEPLOY.resolve(file));
    }

    private static String environmentBlock() throws IOException {
        String compose = text("compose.yaml");
        String begin = "      # BEGIN generated: prism config compose\n";
        int start = compose.indexOf(begin) + begin.length();
        return compose.substring(start, compose.indexOf("      # END generated\n", start));
    }

    @Test
    void theComposeEnvironmentIsTheRegistrys() throws IOException {
        assertThat(environmentBlock())
                .as("prism-app/deploy/compose.yaml; regenerate the block with: java -jar prism.jar config compose")
                .isEqualTo(RegistryTables.composeEnvironment(PrismConfiguration.registry(), INDENT));
    }

    @Test
    void everyVariableWithAnEffectIsForwarded() throws IOException {
        List<String> lines = environmentBlock().lines().toList();

        assertThat(lines).hasSize((int) PrismConfiguration.registry().variables().stream()
                .filter(Variable::effective)
                .count());
    }

    @Test
    void thePackagedValuesAreTheContracts() throws IOException {
        String block = environmentBlock();

        assertThat(block)
                .contains(
                        "QBIT_RPC_HOST: \"${QBIT_RPC_HOST:-qbitd}\"",
                        "QBIT_RPC_USER: \"${QBIT_RPC_USER:-qbitrpc}\"",
                        "QBIT_RPC_PASSWORD: \"${QBIT_RPC_PASSWORD:-change-this}\"",
                        "PRISM_STRATUM_BIND: \"${PRISM_STRATUM_BIND:-0.0.0.0}\"",
                        "PRISM_AUDIT_BIND: \"${PRISM_AUDIT_BIND-127.0.0.1}\"",
                        "PRISM_AUDIT_PORT: \"${PRISM_AUDIT_PORT:-3341}\"",
                        "PRISM_AUDIT_DIR: \"${PRISM_AUDIT_DIR:-/var/lib/qbit-prism/audit}\"",
                        "PRISM_POSTGRES_INIT_SCHEMA: \"${PRISM_POSTGRES_INIT_SCHEMA:-1}\"",
                        "PRISM_STOP_AFTER_BLOCK: \"${PRISM_STOP_AFTER_BLOCK:-0}\"",
                        "PRISM_MAX_BLOCKS: \"${PRISM_MAX_BLOCKS:-2147483647}\"",
                        "PRISM_TEMPLATE_CACHE_SECONDS: \"${PRISM_TEMPLATE_CACHE_SECONDS:-2}\"",
                        "PRISM_STRATUM_VARDIFF_MIN_DIFF: \"${PRISM_STRATUM_VARDIFF_MIN_DIFF:-0.000000001}\"",
                        "PRISM_DIRECT_COINBASE_PAYOUT_FLOOR_BITS: \"${PRISM_DIRECT_COINBASE_PAYOUT_FLOOR_BITS:-10485760}\"",
                        // an operator's empty tag means no tag, an unset one the default
                        "PRISM_COINBASE_TAG: \"${PRISM_COINBASE_TAG-/PRISM/}\"",
                        // an explicit value would skip the implicit min(4, pending first jobs)
                        "PRISM_INITIAL_JOB_MAX_WORKERS: \"${PRISM_INITIAL_JOB_MAX_WORKERS:-}\"");
    }

    @Test
    void theComposeFileHasTheProfilesServicesAndChecks() throws IOException {
        String compose = text("compose.yaml");

        assertThat(compose.split("profiles: \\[\"prism\"\\]", -1)).hasSize(4);
        assertThat(compose)
                .contains("\n  qbitd:\n", "\n  prism-postgres:\n", "\n  prism-coordinator:\n")
                .contains("stop_grace_period: 45s", "restart: on-failure", "condition: service_healthy")
                .contains("max-size: 50m", "max-file: \"10\"", "PRISM_COORDINATOR_NOFILE_HARD:-524288", "core: -1")
                .contains("pg_isready -q -h 127.0.0.1", "'SELECT 1'", "POSTGRES_INITDB_WALDIR")
                .contains("/var/lib/qbit-prism/audit", "read_only: true");
    }

    @Test
    void theProductionOverrideHasNoUsableDefault() throws IOException {
        String override = text("compose.production.yaml");
        List<String> services = List.of("qbitd", "prism-postgres", "prism-coordinator");

        for (String service : services) {
            assertThat(text("compose.yaml")).contains("\n  " + service + ":\n");
            String block = override.substring(override.indexOf("\n  " + service + ":\n"));
            assertThat(block.lines().skip(2).takeWhile(line -> line.isEmpty() || line.startsWith("    ")))
                    .contains("    pull_policy: always", "    restart: unless-stopped", "    volumes: !override")
                    .contains("          create_host_path: false");
        }
        assertThat(override.lines().filter(line -> line.contains("image:")))
                .hasSize(services.size())
                .allMatch(line -> line.matches(".*\\$\\{([A-Z_]+):-UNSET/\\1}"), "an upper-case image is refused");
        assertThat(override.lines().filter(line -> line.contains("source:")))
                .hasSize(4)
                .allMatch(line -> line.matches(".*\\$\\{([A-Z_]+):-UNSET:\\1}"), "no path, and no volume's name");
        assertThat(override).doesNotContain("qbit-data", "prism-audit-data").contains("build: !reset null");
    }

    @Test
    void theUnitHasTheContractsLines() throws IOException {
        assertThat(text("prism.service").lines())
                .contains(
                        "User=prism",
                        "EnvironmentFile=/etc/prism/prism.env",
                        "ExecStartPre=/opt/prism/bin/prism check --skip-live",
                        "ExecStart=/opt/prism/bin/prism run --ui plain --log-format json",
                        "Restart=on-failure",
                        "RestartSec=1",
                        "SuccessExitStatus=143",
                        "TimeoutStopSec=45",
                        "KillMode=mixed",
                        "LimitNOFILE=65536",
                        "LimitCORE=infinity",
                        "NoNewPrivileges=true",
                        "ProtectSystem=strict",
                        "ReadWritePaths=/var/lib/qbit-prism",
                        "PrivateTmp=true",
                        "StartLimitIntervalSec=0",
                        "WantedBy=multi-user.target")
                .noneMatch(line -> line.startsWith("WatchdogSec"));
    }

    @Test
    void theImageRunsJavaAsAnUnprivilegedFirstProcess() throws IOException {
        assertThat(text("Dockerfile"))
                .contains("USER prism", "ENTRYPOINT [\"/opt/prism/bin/prism\"]", "COPY target/prism.jar")
                .doesNotContain("maven", "jdk");
        assertThat(text("bin/prism"))
                .contains("exec \"", "-XX:+ExitOnOutOfMemoryError", "-XX:+HeapDumpOnOutOfMemoryError");
    }

    @Test
    void theHealthCheckWantsTheStratumPortAndAGoodAnswer() throws Exception {
        try (ServerSocket stratum = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                HttpListener ready = new HttpListener("ready", "127.0.0.1", 0, List.of(query -> answer(200)));
                HttpListener degraded = new HttpListener("degraded", "127.0.0.1", 0, List.of(query -> answer(503)))) {
            ready.start();
            degraded.start();
            int port = stratum.getLocalPort();

            assertThat(healthcheck(port, 0)).isZero();
            assertThat(healthcheck(port, ready.port())).isZero();
            assertThat(healthcheck(port, degraded.port())).isEqualTo(1);
            assertThat(healthcheck(1, ready.port())).isEqualTo(1);
        }
    }

    private static Optional<HttpAnswer> answer(int status) {
        return Optional.of(HttpAnswer.json(status, "{}"));
    }

    private static int healthcheck(int stratumPort, int auditPort) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("bash", DEPLOY.resolve("bin/healthcheck").toString());
        builder.environment().put("PRISM_STRATUM_PORT", Integer.toString(stratumPort));
        builder.environment().put("PRISM_AUDIT_PORT", Integer.toString(auditPort));
        Process check = builder.redirectErrorStream(true).start();
        assertThat(check.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return check.exitValue();
    }
}
