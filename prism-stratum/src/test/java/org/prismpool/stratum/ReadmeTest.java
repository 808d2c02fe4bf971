package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReadmeTest {

    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void theReadmeShowsTheExamplesThatRun() throws Exception {
        List<String> shown = JAVA.matcher(Files.readString(Path.of("README.md")))
                .results()
                .map(block -> squeezed(block.group(1)))
                .toList();

        assertThat(shown)
                .containsExactly(
                        run("SoloServerExampleTest") + "}", // the test goes on inside the last block
                        run("TestingExampleIT"));
    }

    private static String run(String test) throws IOException {
        String source = Files.readString(Path.of("src/test/java/org/prismpool/stratum", test + ".java"));
        return squeezed(between(source, "// README: begin\n", "// README: end"));
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
