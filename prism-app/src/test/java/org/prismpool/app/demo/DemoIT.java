package org.prismpool.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.command.PrismCommand;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.payout.tool.ToolStreams;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionOutput;
import picocli.CommandLine;

/** The main job with every real part: embedded PostgreSQL, validating node, TCP miners, audit verification. */
class DemoIT {

    @TempDir
    private Path directory;

    @Test
    @Timeout(300)
    void findsABlockAndEveryoneCanVerifyThePayout() throws Exception {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = PrismCommand.commandLine(Map.of());
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

        int status = line.execute(
                "demo", "--blocks", "3", "--miners", "2", "--seed", "1", "--json", "--data-dir", directory.toString());

        assertThat(status).as(err + "\n" + out).isZero();
        JsonNode summary = new ObjectMapper().readTree(out.toString());
        assertThat(summary.get("ok").asBoolean()).isTrue();
        assertThat(summary.get("blocks")).hasSizeGreaterThanOrEqualTo(3);
        assertThat(summary.get("blocks")).allSatisfy(block -> {
            assertThat(block.get("audit_verified").asBoolean()).isTrue();
            long paid = 0;
            for (JsonNode payout : block.get("payouts")) {
                paid += payout.get("amount_sats").asLong();
            }
            assertThat(paid).as("a regtest subsidy without fees").isEqualTo(21_000_000_000L);
        });
        assertThat(summary.get("shares_in_ledger").asLong())
                .isGreaterThanOrEqualTo(summary.get("shares_accepted").asLong());
        assertThat(err.toString()).contains("schema: applied", "stratum+tcp://127.0.0.1:", "audit: verified");
        verifyOutside(summary.get("blocks").get(0).get("hash").asText());
    }

    /** What a miner does with the published body: the tool needs nothing of the pool but its public key. */
    private void verifyOutside(String hash) throws Exception {
        List<Path> bodies;
        try (Stream<Path> files = Files.list(directory.resolve("audit"))) {
            bodies = files.filter(f -> f.getFileName().toString().startsWith("prism-audit-bundle-body-" + hash))
                    .toList();
        }
        assertThat(bodies).hasSize(1);
        String coinbase;
        try (DevNode node = DevNode.start(DevNodeConfig.forDemo().withDataDirectory(directory.resolve("node")))) {
            coinbase = node.call("getblock", hash, 2).result().at("/tx/0/hex").textValue();
        }
        List<TransactionOutput> outputs = Transaction.parseHex(coinbase).outputs();
        DemoIdentities identities = new DemoIdentities(1);
        assertThat(outputs.subList(0, outputs.size() - 1))
                .as("the coinbase pays the addresses that were authorized")
                .map(output -> P2mrAddress.of(
                        Network.REGTEST,
                        P2mrAddress.programOfScript(output.script()).orElseThrow()))
                .isNotEmpty()
                .isSubsetOf(identities.miner(1), identities.miner(2));
        String key = identities.ledgerKey().publicKeyHex();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        CommandLine line = PrismCommand.commandLine(
                Map.of(),
                () -> new ToolStreams(
                        InputStream.nullInputStream(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8)));
        int status = line.execute(
                "audit",
                "verify",
                "--coinbase-tx-hex",
                coinbase,
                "--ledger-writer-public-key-hex",
                key,
                bodies.get(0).toString());
        assertThat(status).as(err.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("audit-verification-report");
        String otherKey = new DemoIdentities(2).ledgerKey().publicKeyHex();
        int refused = line.execute(
                "audit",
                "verify",
                "--coinbase-tx-hex",
                coinbase,
                "--ledger-writer-public-key-hex",
                otherKey,
                bodies.get(0).toString());
        assertThat(refused).as("signed by somebody else").isNotZero();
    }
}
