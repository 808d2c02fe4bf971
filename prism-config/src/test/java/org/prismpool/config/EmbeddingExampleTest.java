package org.prismpool.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.config.variable.NumberParsers.int32;
import static org.prismpool.config.variable.TextParsers.secret;
import static org.prismpool.config.variable.Variable.named;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.prismpool.config.rule.Rule;
import org.prismpool.config.variable.Variable;
import org.prismpool.config.variable.VariableRegistry;

/** The example of the README: a typed environment of an unrelated program. */
class EmbeddingExampleTest {

    // example: shop
    static final Variable<Integer> PORT =
            named("SHOP_PORT", int32(1, 65535, "port")).byDefault("8080").doc("Port to listen on.");
    static final Variable<Integer> WORKERS =
            named("SHOP_WORKERS", int32(1, 64, "")).byDefault("4").doc("Worker threads.");
    static final Variable<Secret> TOKEN =
            named("SHOP_TOKEN", secret()).required().secret().doc("API token.");

    static ConfigLoader loader() {
        var group = new VariableRegistry.Group("Shop", List.of(PORT, WORKERS, TOKEN));
        var evenWorkers = Rule.of(
                "E1",
                "workers come in pairs",
                (e, report) -> {
                    if (e.get(WORKERS) % 2 != 0) {
                        report.error("must be even", WORKERS);
                    }
                },
                WORKERS);
        return new ConfigLoader(
                new VariableRegistry(List.of(group), List.of("SHOP_"), List.of()), List.of(evenWorkers));
    }
    // end

    @Test
    void goodValuesAreTyped() {
        ConfigReport report = loader().load(Map.of("SHOP_TOKEN", "t0p", "SHOP_PORT", "9000"));

        assertThat(report.ok()).isTrue();
        assertThat(report.environment().get(PORT)).isEqualTo(9000);
        assertThat(report.environment().get(TOKEN)).hasToString("***");
    }

    private static final String REPORT = """
            ERROR SHOP_PORT=99999: must be between 1 and 65535; default 8080 [range]
            ERROR SHOP_WORKERS=3: must be even [E1]
            ERROR SHOP_TOKEN (unset): is required; set it; allowed: any text [parse]
            WARNING SHOP_WORKER: is not a known variable; did you mean SHOP_WORKERS? [name]
            """;

    @Test
    void everyMistakeIsInOneReport() {
        ConfigReport report = loader().load(Map.of("SHOP_PORT", "99999", "SHOP_WORKERS", "3", "SHOP_WORKER", "2"));

        assertThat(report.render()).isEqualTo(REPORT);
    }

    @Test
    void theReadmeShowsThisExampleAndItsReport() throws IOException {
        String source = Files.readString(Path.of("src/test/java/org/prismpool/config/EmbeddingExampleTest.java"));
        String start = "    // example: shop\n";
        int from = source.indexOf(start) + start.length();
        String example = source.substring(from, source.indexOf("\n    // end\n", from));

        assertThat(Files.readString(Path.of("README.md")))
                .contains("```java\n" + example.stripIndent()
                        + "\n\nConfigReport report = loader().load(System.getenv());\n```")
                .contains("```\n" + REPORT + "```");
    }
}
