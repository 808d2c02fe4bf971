package org.prismpool.app.devnode;

/** A call in this process ended without an answer because an injected fault took the connection away. */
public final class ConnectionLostException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ConnectionLostException(String message) {
        super(message);
    }
}
