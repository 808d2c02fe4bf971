package org.prismpool.config.variable;

import java.nio.file.Path;

/** Defaults that are made of other paths. */
final class Paths {

    private Paths() {}

    static String parent(String path) {
        Path parent = Path.of(path).getParent();
        return parent == null ? "." : parent.toString();
    }

    static String child(String directory, String name) {
        return directory.equals(".") ? "./" + name : Path.of(directory, name).toString();
    }
}
