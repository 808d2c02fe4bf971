package org.prismpool.payout.tool;

import java.util.List;
import java.util.Optional;

/**
 * The one argument of a tool that only reads: {@code --input P} or a positional path.
 *
 * @param path the file; absent or {@code -} for standard input
 * @param help print the usage and do nothing
 */
record InputArgument(Optional<String> path, boolean help) {

    static InputArgument parse(List<String> arguments) {
        Optional<String> path = Optional.empty();
        ArgumentCursor cursor = new ArgumentCursor(arguments);
        while (cursor.hasNext()) {
            String argument = cursor.next();
            if (ArgumentCursor.isHelp(argument)) {
                return new InputArgument(Optional.empty(), true);
            } else if (argument.equals("--input")) {
                path = cursor.value(); // the last one wins, over a positional path as well
            } else if (path.isEmpty()) {
                path = Optional.of(argument);
            } else {
                throw ArgumentCursor.unexpected(argument);
            }
        }
        return new InputArgument(path, false);
    }
}
