package org.prismpool.payout.tool;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Walks arguments from left to right. */
final class ArgumentCursor {

    private final Iterator<String> arguments;

    ArgumentCursor(List<String> arguments) {
        this.arguments = List.copyOf(arguments).iterator();
    }

    boolean hasNext() {
        return arguments.hasNext();
    }

    String next() {
        return arguments.next();
    }

    /** Takes the value of an option if there is one left. */
    Optional<String> value() {
        return arguments.hasNext() ? Optional.of(arguments.next()) : Optional.empty();
    }

    /** Takes the value of an option or fails with a message. */
    String value(String missing) {
        return value().orElseThrow(() -> new ToolFailure(missing));
    }

    static boolean isHelp(String argument) {
        return argument.equals("-h") || argument.equals("--help");
    }

    static ToolFailure unexpected(String argument) {
        return new ToolFailure("unexpected argument: " + argument);
    }
}
