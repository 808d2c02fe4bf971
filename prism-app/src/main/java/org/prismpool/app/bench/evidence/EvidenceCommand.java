package org.prismpool.app.bench.evidence;

import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code prism bench evidence}: checks capacity evidence against the deployment at hand (spec 08 §8.5). */
@Command(
        name = "evidence",
        description = "Check a capacity evidence document (qbit-prism-capacity-evidence/v2) against a deployment.",
        mixinStandardHelpOptions = true)
public final class EvidenceCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The document.")
    private Path file = Path.of("");

    @Option(
            names = "--expect",
            paramLabel = "NAME=VALUE",
            required = true,
            description = "Value of a bound variable; once for each of them.")
    private Map<String, String> configuration = Map.of();

    @Option(names = "--expect-coordinator-revision", paramLabel = "HEX", required = true, description = "40 hex.")
    private String revision = "";

    @Option(
            names = "--expect-coordinator-image-digest",
            paramLabel = "DIGEST",
            required = true,
            description = "sha256: and 64 hex.")
    private String image = "";

    @Option(
            names = "--expect-postgres-server-version",
            paramLabel = "VERSION",
            required = true,
            description = "Version as the server names itself.")
    private String server = "";

    @Option(
            names = "--expect-database-profile-sha256",
            paramLabel = "HEX",
            required = true,
            description = "Digest of the database's settings.")
    private String profile = "";

    @Option(names = "--forecast-peak-shares-per-second", required = true, description = "Load that is planned for.")
    private BigDecimal forecast = BigDecimal.ONE;

    @Option(
            names = "--ack-p99-limit-milliseconds",
            required = true,
            description = "Longest acknowledgement of 99 in 100 shares.")
    private BigDecimal limit = BigDecimal.ONE;

    @Option(
            names = "--max-age-seconds",
            defaultValue = "86400",
            description = "Oldest evidence that counts (${DEFAULT-VALUE}).")
    private long maxAge;

    /** Creates the command. */
    public EvidenceCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try {
            CapacityEvidence.Proof proof =
                    CapacityEvidence.check(Files.readString(file), expectations(), Instant.now());
            out.printf(
                    "capacity evidence valid: rate=%s capacity=%sx ACK p50=%sms p99=%sms committed=%d%n",
                    proof.sharesPerSecond().toPlainString(),
                    proof.reserve().toPlainString(),
                    proof.p50().toPlainString(),
                    proof.p99().toPlainString(),
                    proof.committed());
            return 0;
        } catch (InvalidEvidenceException invalid) {
            return refused(String.valueOf(invalid.getMessage()));
        } catch (IOException unreadable) {
            return refused("cannot read " + file);
        } finally {
            out.flush();
        }
    }

    private int refused(String reason) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("capacity evidence invalid: " + reason);
        err.flush();
        return 1;
    }

    private EvidenceExpectations expectations() {
        if (forecast.signum() <= 0 || limit.signum() <= 0 || maxAge < 0) {
            throw new InvalidEvidenceException("forecast and limit must be positive, the age must not be negative");
        }
        return new EvidenceExpectations(
                configuration, revision, image, server, profile, forecast, limit, Duration.ofSeconds(maxAge), false);
    }
}
