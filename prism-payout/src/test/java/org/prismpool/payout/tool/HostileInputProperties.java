package org.prismpool.payout.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.prismpool.payout.Vectors;

/** Damaged documents at every place where a tool reads one: it may succeed, or fail with one line; nothing else. */
class HostileInputProperties {

    private static final String BUILD = "qbit-prism-build-audit-bundle";
    private static final String VERIFY = "qbit-prism-audit-verify";
    private static final String CANONICALIZE = "qbit-prism-audit-canonicalize";
    private static final String REORG = "qbit-prism-reorg-verify";
    private static final String POOL_BUILDER = "qbit-pool-builder";
    private static final List<String> KEYS = List.of(
            "--signing-key-seed-hex", Vectors.COINBASE_SEED, "--ledger-signing-key-seed-hex", Vectors.LEDGER_SEED);
    private static final List<String> TOKENS = List.of(
            "null",
            "-0",
            "1.0",
            "1e3",
            "\"\"",
            "[]",
            "{}",
            "18446744073709551616",
            "-1",
            "\"\\ud800\"",
            "\ufeff",
            "340282366920938463463374607431768211456",
            "\"schema\":\"x\",",
            "true",
            "\u0000",
            "\"../../x\"",
            "\"/dev/zero\"");

    private static Path folder = Path.of("");

    @BeforeContainer
    static void makeFolder() throws IOException {
        folder = Files.createTempDirectory("hostile");
        for (String name : List.of("body-v2-parts-digest-stored", "body-ref-segments")) {
            copy(
                    Vectors.path("payout/bodies/" + name + "/body.json").getParent(),
                    Files.createDirectory(folder.resolve(name)));
        }
    }

    @AfterContainer
    static void removeFolder() throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }

    @Property(tries = 150)
    void aDamagedBuildInput(@ForAll Random random) {
        byte[] input = damaged(
                "payout/build/" + oneOf(random, "ctv-hybrid-fee", "unicode-names", "fee-first-dust-sweep")
                        + "/input.json",
                random);
        List<String> form = List.of("--canonical-output", "--job-summary-output", "--phase-metrics");
        List<String> arguments = new ArrayList<>(KEYS);
        arguments.add(form.get(random.nextInt(form.size())));

        expectOneLine(BUILD, arguments, input);
    }

    @Property(tries = 150)
    void aDamagedBundle(@ForAll Random random) throws IOException {
        byte[] bundle = damaged(
                "payout/build/" + oneOf(random, "ctv-hybrid-fee", "unicode-names", "v1_1-stale-grace") + "/bundle.json",
                random);
        Path file = Files.write(folder.resolve("bundle.json"), bundle);

        expectOneLine(CANONICALIZE, List.of(), bundle);
        expectOneLine(VERIFY, verify(file), new byte[0]);
        ToolHarness.Result result = ToolHarness.run(
                AuditTool::explain,
                "prism audit explain",
                List.of(file.toString(), "--address", "miner-a"),
                new byte[0]);
        expectOneLine("prism audit explain", result);
    }

    @Property(tries = 100)
    void aDamagedCompactBodyOrSegment(@ForAll Random random) throws IOException {
        Path body = folder.resolve(oneOf(random, "body-v2-parts-digest-stored", "body-ref-segments"));
        List<Path> files;
        try (var listed = Files.list(body)) {
            files = listed.sorted().toList();
        }
        Path target = files.get(random.nextInt(files.size()));
        byte[] healthy = Files.readAllBytes(target);
        Files.write(target, damage(healthy, random));
        try {
            expectOneLine(
                    CANONICALIZE, List.of("--input", body.resolve("body.json").toString()), new byte[0]);
            expectOneLine(VERIFY, verify(body.resolve("body.json")), new byte[0]);
        } finally {
            Files.write(target, healthy);
        }
    }

    @Property(tries = 100)
    void aDamagedReorganisationOrCoinbaseRequest(@ForAll Random random) {
        byte[] reorg =
                Vectors.bytes(Vectors.json("payout/reorg/cases.json").get(0).get("input"));
        byte[] request = Vectors.bytes(
                Vectors.json("payout/builder/requests.json").get(0).get("request"));

        expectOneLine(REORG, List.of("-"), damage(reorg, random));
        expectOneLine(POOL_BUILDER, KEYS.subList(0, 2), damage(request, random));
    }

    @Property(tries = 60)
    void damagedServeRequestsAreEachAnsweredWithOneLine(@ForAll Random random) {
        StringBuilder requests = new StringBuilder();
        Vectors.json("payout/serve/transcript.json")
                .get("steps")
                .forEach(step -> requests.append(step.get("send").asText()).append('\n'));
        List<String> arguments = new ArrayList<>(KEYS);
        arguments.add("--serve");

        ToolHarness.Result result =
                ToolHarness.run(BUILD, arguments, damage(requests.toString().getBytes(StandardCharsets.UTF_8), random));

        assertThat(result.exit()).isZero();
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout().lines()).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
    }

    @Property(tries = 60)
    void damagedSeedsAndCoinbaseFiles(@ForAll Random random) throws IOException {
        Path seed = Files.write(
                folder.resolve("seed"), damage(Vectors.COINBASE_SEED.getBytes(StandardCharsets.US_ASCII), random));
        Path coinbase = Files.write(
                folder.resolve("coinbase"), damage("0200".repeat(20).getBytes(StandardCharsets.US_ASCII), random));
        byte[] input = Vectors.bytes("payout/build/two-miners/input.json");
        Path bundle = Vectors.path("payout/build/two-miners/bundle.json");

        expectOneLine(
                POOL_BUILDER, List.of("--signing-key-file", seed.toString(), "--print-public-key-hex"), new byte[0]);
        expectOneLine(
                BUILD,
                List.of("--signing-key-file", seed.toString(), "--ledger-signing-key-file", seed.toString()),
                input);
        expectOneLine(
                VERIFY,
                List.of(
                        bundle.toString(),
                        "--coinbase-tx-hex-file",
                        coinbase.toString(),
                        "--ledger-writer-public-key-hex",
                        Vectors.LEDGER_KEY),
                new byte[0]);
    }

    @Example
    void aFolderADeviceOrAMissingFileInPlaceOfEveryFile() {
        for (String path :
                List.of(folder.toString(), "/dev/null", folder.resolve("absent").toString(), "")) {
            expectFailure(BUILD, with(KEYS, "--input", path));
            expectFailure(POOL_BUILDER, with(KEYS.subList(0, 2), "--input", path));
            expectFailure(POOL_BUILDER, List.of("--signing-key-file", path, "--print-public-key-hex"));
            expectFailure(BUILD, List.of("--signing-key-file", path, "--ledger-signing-key-file", path));
            expectFailure(CANONICALIZE, List.of("--input", path));
            expectFailure(REORG, List.of(path));
            expectFailure(VERIFY, verify(Path.of(path)));
        }
    }

    private static void expectFailure(String tool, List<String> arguments) {
        assertThat(expectOneLine(tool, arguments, new byte[0]))
                .as("%s %s", tool, arguments)
                .isEqualTo(1);
    }

    private static List<String> with(List<String> first, String... more) {
        List<String> all = new ArrayList<>(first);
        all.addAll(Arrays.asList(more));
        return all;
    }

    private static int expectOneLine(String tool, List<String> arguments, byte[] stdin) {
        return expectOneLine(tool, ToolHarness.run(tool, arguments, stdin));
    }

    private static int expectOneLine(String tool, ToolHarness.Result result) {
        if (result.exit() == 0) {
            assertThat(result.stdout()).isNotEmpty();
            return 0;
        }
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.stdout()).isEmpty();
        assertThat(result.stderr())
                .startsWith(tool + ": ")
                .endsWith("\n")
                .containsOnlyOnce("\n")
                .doesNotContain("Exception", "internal error", "\tat ");
        return 1;
    }

    private static List<String> verify(Path bundle) {
        return List.of(
                bundle.toString(), "--coinbase-tx-hex", "00", "--ledger-writer-public-key-hex", Vectors.LEDGER_KEY);
    }

    private static String oneOf(Random random, String... names) {
        return names[random.nextInt(names.length)];
    }

    private static byte[] damaged(String vector, Random random) {
        return damage(Vectors.bytes(vector), random);
    }

    private static byte[] damage(byte[] healthy, Random random) {
        List<UnaryOperator<byte[]>> ways = List.of(
                bytes -> flip(bytes, random),
                bytes -> Arrays.copyOf(bytes, random.nextInt(bytes.length)),
                bytes -> splice(bytes, random, new byte[0], 1 + random.nextInt(40)),
                bytes -> splice(bytes, random, bytes, 0),
                bytes -> splice(
                        bytes, random, TOKENS.get(random.nextInt(TOKENS.size())).getBytes(StandardCharsets.UTF_8), 0),
                bytes -> replaceNumber(bytes, random),
                bytes -> splice(
                        bytes, random, "[".repeat(200 + random.nextInt(20_000)).getBytes(StandardCharsets.US_ASCII), 0),
                bytes -> splice(bytes, random, new byte[] {(byte) (0x80 + random.nextInt(0x80))}, 0));
        byte[] result = healthy;
        for (int i = 1 + random.nextInt(2); i > 0 && result.length > 0; i--) {
            result = ways.get(random.nextInt(ways.size())).apply(result);
        }
        return result;
    }

    private static byte[] flip(byte[] bytes, Random random) {
        byte[] flipped = bytes.clone();
        flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
        return flipped;
    }

    private static byte[] splice(byte[] bytes, Random random, byte[] inserted, int dropped) {
        int at = random.nextInt(bytes.length);
        int rest = Math.min(bytes.length, at + dropped);
        byte[] spliced = Arrays.copyOf(bytes, at + inserted.length + bytes.length - rest);
        System.arraycopy(inserted, 0, spliced, at, inserted.length);
        System.arraycopy(bytes, rest, spliced, at + inserted.length, bytes.length - rest);
        return spliced;
    }

    private static byte[] replaceNumber(byte[] bytes, Random random) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int from = random.nextInt(text.length());
        String number = TOKENS.get(random.nextInt(TOKENS.size()));
        String tail =
                text.substring(from).replaceFirst(":\\d+", ":" + java.util.regex.Matcher.quoteReplacement(number));
        return (text.substring(0, from) + tail).getBytes(StandardCharsets.UTF_8);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }
}
