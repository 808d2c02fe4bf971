package org.prismpool.app.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The {@code --env-file} option: files below, the process environment above. Source: spec 01 §1.3, 08 §8. */
final class EnvironmentFiles {

    @Option(
            names = "--env-file",
            paramLabel = "FILE",
            description =
                    "Read NAME=value lines; repeatable, later files win, the process environment wins over files.")
    private List<Path> files = new ArrayList<>();

    /**
     * Layers the files below the process environment; an empty process value does not override a file.
     *
     * @throws IOException if a file cannot be read; the message names it
     */
    Map<String, String> over(Map<String, String> process) throws IOException {
        Map<String, String> merged = new HashMap<>();
        for (Path file : files) {
            for (String line : Files.readAllLines(file)) {
                add(merged, line);
            }
        }
        process.forEach((name, value) -> {
            if (!value.isEmpty() || !merged.containsKey(name)) {
                merged.put(name, value);
            }
        });
        return merged;
    }

    private static void add(Map<String, String> into, String line) {
        String trimmed = line.strip();
        int equals = trimmed.indexOf('=');
        if (trimmed.startsWith("#") || equals <= 0) {
            return;
        }
        String name =
                trimmed.substring(0, equals).replaceFirst("^export\\s+", "").strip();
        String value = trimmed.substring(equals + 1).strip();
        boolean quoted = value.length() >= 2
                && (value.charAt(0) == '"' || value.charAt(0) == '\'')
                && value.charAt(value.length() - 1) == value.charAt(0);
        into.put(name, quoted ? value.substring(1, value.length() - 1) : value);
    }
}
