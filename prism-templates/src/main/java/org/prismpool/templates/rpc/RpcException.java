package org.prismpool.templates.rpc;

/** A node call without a result; {@link #failure()} says why. */
public final class RpcException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient RpcFailure failure;
    private final RpcMethod method;

    /**
     * Creates the exception.
     *
     * @param method method that was called
     * @param failure why it has no result
     */
    public RpcException(RpcMethod method, RpcFailure failure) {
        super(method.wireName() + ": " + failure.getClass().getSimpleName() + ": " + failure.message());
        this.method = method;
        this.failure = failure;
    }

    /**
     * Returns the reason.
     *
     * @return failure with its class and code
     */
    public RpcFailure failure() {
        return failure;
    }

    /**
     * Returns the method.
     *
     * @return method that was called
     */
    public RpcMethod method() {
        return method;
    }

    /**
     * Tells whether the node does not offer the method or not with these parameters (codes -32601 and -32602).
     *
     * @return true if repeating the call is pointless; false also for -8, which speaks of one parameter's value
     */
    public boolean unsupported() {
        return failure.code() == RpcCodes.METHOD_NOT_FOUND || failure.code() == RpcCodes.INVALID_PARAMS;
    }
}
