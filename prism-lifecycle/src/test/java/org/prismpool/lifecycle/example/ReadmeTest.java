package org.prismpool.lifecycle.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The README shows the very code that is compiled and run here. */
class ReadmeTest {

    private static final Path EXAMPLES = Path.of("src/test/java/org/prismpool/lifecycle/example");

    @Test
    void theExecutorExampleIsTheTestedOne() throws IOException {
        assertThat(readme()).contains(example("ExecutorExampleTest.java", "executor"));
    }

    @Test
    void theServiceExampleIsTheTestedOne() throws IOException {
        assertThat(readme()).contains(example("ServiceExampleTest.java", "service"));
    }

    private static String readme() throws IOException {
        return Files.readString(Path.of("README.md"));
    }

    private static String example(String file, String name) throws IOException {
        String source = Files.readString(EXAMPLES.resolve(file));
        String start = "    // example: " + name + "\n";
        int from = source.indexOf(start) + start.length();
        String code = source.substring(from, source.indexOf("\n    // end\n", from));
        return code.stripIndent() + "\n```"; // a last line that is empty would count as not indented
    }
}
