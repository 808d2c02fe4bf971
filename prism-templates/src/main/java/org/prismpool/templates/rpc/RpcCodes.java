package org.prismpool.templates.rpc;

/** Error codes of the node that decisions depend on (spec 01 §5.4). */
public final class RpcCodes {

    /** Miscellaneous error. */
    public static final int MISC = -1;

    /** Block, transaction or address not found. */
    public static final int NOT_FOUND = -5;

    /** Invalid parameter, for example a height above the tip. */
    public static final int INVALID_PARAMETER = -8;

    /** No peers. */
    public static final int NOT_CONNECTED = -9;

    /** Initial block download. */
    public static final int INITIAL_DOWNLOAD = -10;

    /** Bytes that do not decode. */
    public static final int DECODE_FAILED = -22;

    /** Verification error. */
    public static final int VERIFY_ERROR = -25;

    /** Still warming up. */
    public static final int WARMING_UP = -28;

    /** Unknown method. */
    public static final int METHOD_NOT_FOUND = -32601;

    /** Wrong number or kind of parameters. */
    public static final int INVALID_PARAMS = -32602;

    private RpcCodes() {}
}
