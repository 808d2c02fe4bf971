package org.prismpool.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.config.Baselines.lab;
import static org.prismpool.config.Baselines.load;
import static org.prismpool.config.Baselines.with;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.prismpool.config.variable.Variable;

/**
 * The registry against the table of the contract (spec 01 §1 and §1.5), name by name. The table stands in
 * {@code contract-variables.tsv} in the contract's own words; a default of {@code ?} is told in words there and tested by its
 * effect in {@link ConfigLoaderTest}.
 */
class ContractVariablesTest {

    /** A row of the table. */
    private record Row(String name, String type, String defaultText, String empty, String range, String owner) {

        boolean reserved() {
            return type.equals("reserved");
        }

        Variable<?> variable() {
            return PrismConfiguration.registry()
                    .find(name)
                    .<Variable<?>>map(found -> found)
                    .orElseThrow(() -> new AssertionError(name + " is not in the registry"));
        }
    }

    private static List<Row> rows() throws IOException {
        try (InputStream table = ContractVariablesTest.class.getResourceAsStream("/contract-variables.tsv")) {
            String text = new String(Objects.requireNonNull(table, "table").readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t"))
                    .map(c -> new Row(c[0], c[1], c[2], c[3], c[4], c[5]))
                    .toList();
        }
    }

    /** PGOPTIONS and PGCONNECT_TIMEOUT belong to a client program that is never started, CARGO to a build that is none. */
    @Test
    void theRegistryHasTheNamesOfTheContractAndNoOther() throws IOException {
        assertThat(PrismConfiguration.registry().variables())
                .extracting(Variable::name)
                .containsExactlyInAnyOrderElementsOf(rows().stream()
                        .map(Row::name)
                        .filter(name -> !List.of("PGOPTIONS", "PGCONNECT_TIMEOUT", "CARGO")
                                .contains(name))
                        .toList());
    }

    private static Stream<Row> known() throws IOException {
        return rows().stream()
                .filter(row -> !row.reserved())
                .filter(row -> PrismConfiguration.registry().find(row.name()).isPresent());
    }

    @Test
    void everyVariableHasTheContractsDefaultOwnerSecrecyAndEmptyText() throws IOException {
        SoftAssertions softly = new SoftAssertions();
        known().forEach(row -> {
            Variable<?> v = row.variable();
            softly.assertThat(v.owner()).as(row.name()).isEqualTo(row.owner());
            softly.assertThat(v.secret())
                    .as("%s is secret", row.name())
                    .isEqualTo(row.type().contains("secret"));
            softly.assertThat(v.emptyText()).as("empty text of %s", row.name()).isEqualTo(emptyText(row));
            if (row.defaultText().equals("-")) {
                softly.assertThat(v.defaultText())
                        .as("default of %s", row.name())
                        .isEmpty();
            } else if (!row.defaultText().equals("?")) {
                // A variable with a legacy name has that name's default.
                Optional<String> text = v.defaultText().or(() -> v.alias().flatMap(Variable::defaultText));
                softly.assertThat(plain(text.orElse("")))
                        .as("default of %s", row.name())
                        .isEqualTo(plain(row.defaultText()));
            }
        });
        softly.assertAll();
    }

    /** An empty PGPASSWORD is none, for the database's own client as well; the table of the contract leaves that open. */
    private static Variable.EmptyText emptyText(Row row) {
        return switch (row.empty()) {
            case "U" -> Variable.EmptyText.UNSET;
            case "V" -> Variable.EmptyText.VALUE;
            default -> Variable.EmptyText.ERROR;
        };
    }

    private static String plain(String text) {
        return text.matches("-?[0-9]+([.][0-9]+)?")
                ? new BigDecimal(text).stripTrailingZeros().toPlainString()
                : text;
    }

    @Test
    void everyNumberHasTheContractsBounds() throws IOException {
        SoftAssertions softly = new SoftAssertions();
        known().filter(row -> !row.range().equals("-")).forEach(row -> {
            String range = row.range();
            if (range.startsWith(">=")) {
                long least = Long.parseLong(range.substring(2));
                accepts(softly, row, least);
                refuses(softly, row, least - 1);
            } else if (range.startsWith(">")) {
                refuses(softly, row, Long.parseLong(range.substring(1)));
                refuses(softly, row, -1);
            } else {
                String[] bounds = range.split("\\.\\.");
                accepts(softly, row, Long.parseLong(bounds[0]));
                accepts(softly, row, Long.parseLong(bounds[1]));
                refuses(softly, row, Long.parseLong(bounds[0]) - 1);
                refuses(softly, row, Long.parseLong(bounds[1]) + 1);
            }
        });
        softly.assertAll();
    }

    /** Rules between variables may still object; the value by itself is one. */
    private static void accepts(SoftAssertions softly, Row row, long value) {
        softly.assertThat(findings(row.name(), value))
                .as("%s=%d", row.name(), value)
                .noneMatch(finding ->
                        finding.rule().equals("range") || finding.rule().equals("parse"));
    }

    /** A bad value of a feature that is off is a warning (spec 01 §2.8). */
    private static void refuses(SoftAssertions softly, Row row, long value) {
        softly.assertThat(findings(row.name(), value))
                .as("%s=%d", row.name(), value)
                .anyMatch(finding -> finding.variables().contains(row.name()));
    }

    private static List<Finding> findings(String name, long value) {
        ConfigReport report = load(with(lab(), name + "=" + value));
        return Stream.concat(report.errors().stream(), report.warnings().stream())
                .filter(finding -> finding.variables().contains(name))
                .toList();
    }
}
