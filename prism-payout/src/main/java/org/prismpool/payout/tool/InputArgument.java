package org.prismpool.payout.tool;

import java.util.List;

/**
 * The one argument of a tool that only reads: {@code --input P} or a positional path.
 *
 * @param path the file; empty or {@code -} for standard input
 * @param help print the usage and do nothing
 */
record InputArgument(String path, boolean help) {

    static InputArgument parse(List<String> arguments) {
        String option = "";
        String positional = "";
        ArgumentCursor cursor = new ArgumentCursor(arguments);
        while (cursor.hasNext()) {
            String argument = cursor.next();
            if (ArgumentCursor.isHelp(argument)) {
                return new InputArgument("", true);
            } else if (argument.equals("--input")) {
                option = cursor.value().orElse("");
            } else if (positional.isEmpty()
                    && option.isEmpty()
                    && (!argument.startsWith("-") || argument.equals("-"))) {
                positional = argument;
            } else {
                throw ArgumentCursor.unexpected(argument);
            }
        }
        return new InputArgument(option.isEmpty() ? positional : option, false);
    }
}
