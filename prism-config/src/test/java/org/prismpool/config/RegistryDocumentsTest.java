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
