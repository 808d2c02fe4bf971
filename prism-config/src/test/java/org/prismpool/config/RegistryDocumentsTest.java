package org.prismpool.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.prismpool.config.render.RegistryTables;
import org.prismpool.config.variable.Variable;

class RegistryDocumentsTest {

    private static final Path REFERENCE = Path.of("..", "docs", "configuration.md");

    /** 195 names of the contract, the additions of spec 01 §1.5, PGPASSWORD, three reserved names. */
    @Test
    void theRegistryHasEveryNameOfTheContract() {
        long contract = PrismConfiguration.registry().variables().stream()
                .map(Variable::name)
                .filter(name -> name.startsWith("PRISM_") || name.startsWith("QBIT_"))
                .count();

        assertThat(contract).isEqualTo(195 + 40 + 3);
        assertThat(PrismConfiguration.registry().find("PGPASSWORD")).isPresent();
    }

    @Test
    void theCommittedReferenceIsCurrent() throws IOException {
        String generated = RegistryTables.markdownPage(PrismConfiguration.registry());

        assertThat(Files.readString(REFERENCE))
                .as(
                        "docs/configuration.md; regenerate with: java -jar prism.jar config markdown > docs/configuration.md")
                .isEqualTo(generated);
    }

    @Test
    void everyDocumentNamesEveryVariable() {
        var registry = PrismConfiguration.registry();
        for (Variable<?> variable : registry.variables()) {
            assertThat(RegistryTables.environmentTemplate(registry)).contains(variable.name() + "=");
            if (variable.effective()) {
                assertThat(RegistryTables.composeEnvironment(registry, 6)).contains("      " + variable.name() + ":");
            }
        }
    }
}
