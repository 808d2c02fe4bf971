package org.prismpool.templates.rpc;

import java.io.Closeable;
import java.io.IOException;

/** Closes connections that nobody uses any more. */
final class Quietly {

    private Quietly() {}

    static void close(Closeable connection) {
        try {
            connection.close();
        } catch (IOException alreadyBroken) {
            // The descriptor is released all the same, and the call has its own outcome.
        }
    }
}
