package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeTest {

    @Test
    void theReadmeShowsTheExampleThatRuns() throws Exception {
        String example = Files.readString(Path.of("src/test/java/org/prismpool/stratum/SoloServerExampleTest.java"));
        String shown = between(Files.readString(Path.of("README.md")), "```java\n", "```");
        String run = between(example, "// README: begin\n", "// README: end");

        assertThat(squeezed(shown)).isEqualTo(squeezed(run) + "}");
    }

    /** The code without white space: indentation and line breaks differ between the two places. */
    private static String squeezed(String code) {
        return code.replaceAll("\\s+", "");
    }

    private static String between(String text, String before, String after) {
        int from = text.indexOf(before) + before.length();
        return text.substring(from, text.indexOf(after, from));
    }
}
