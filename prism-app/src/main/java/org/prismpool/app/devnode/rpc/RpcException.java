package org.prismpool.app.devnode.rpc;

/** Ends a call with an error answer. */
final class RpcException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    static final int MISC_ERROR = -1;
    static final int TYPE_ERROR = -3;
    static final int NOT_FOUND = -5;
    static final int INVALID_PARAMETER = -8;
    static final int NOT_CONNECTED = -9;
    static final int INITIAL_DOWNLOAD = -10;
    static final int DESERIALIZATION_ERROR = -22;
    static final int VERIFY_ERROR = -25;
    static final int VERIFY_REJECTED = -26;
    static final int ALREADY_IN_CHAIN = -27;
    static final int METHOD_NOT_FOUND = -32601;

    private final int code;

    RpcException(int code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    int code() {
        return code;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
