package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.codegen.SchemaCodegen;

class GeneratedSchemaIT {

    @TempDir
    private Path fresh;

    @Test
    void theCommittedClassesAreWhatTheMigrationsGenerate() throws Exception {
        Path module = Path.of("").toAbsolutePath();
        String url = TestPostgres.emptyDatabase();
        String jdbc = "jdbc:postgresql://" + url.substring(url.indexOf('@') + 1) + "?user=postgres";

        SchemaCodegen.generate(jdbc, module, fresh);

        assertThat(sources(fresh)).isEqualTo(sources(module.resolve("src/main/generated")));
    }

    private static Map<String, String> sources(Path root) throws IOException {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                // The generator names this lint key only on a Java that knows it.
                String source = Files.readString(file).replace(", \"this-escape\"", "");
                sources.put(root.relativize(file).toString(), source);
            }
        }
        return sources;
    }
}
