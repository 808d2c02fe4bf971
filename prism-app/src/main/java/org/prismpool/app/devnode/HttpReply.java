package org.prismpool.app.devnode;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** The ways in which one HTTP request can end, good and bad. Used once. */
final class HttpReply {

    private static final int PROMISED_LENGTH = 1_000;

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final NodeThreads threads;

    HttpReply(Request request, Response response, Callback callback, NodeThreads threads) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.threads = threads;
    }

    void send(int status, String contentType, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        head(status, contentType, bytes.length);
        response.write(true, ByteBuffer.wrap(bytes), callback);
    }

    /** Sends one byte per interval, until the body is complete or the caller is gone. */
    void drip(int status, String contentType, byte[] body, Duration interval) {
        head(status, contentType, body.length);
        dripFrom(0, body, interval);
    }

    /** Never answers; status and headers may still go out, promising a body that does not come. */
    void hang(boolean headersFirst) {
        if (headersFirst) {
            head(200, "application/json", PROMISED_LENGTH);
            response.write(false, ByteBuffer.allocate(0), Callback.NOOP);
        }
        CompletableFuture<Void> unused = threads.closed().thenRun(this::drop);
    }

    /** Closes the connection without a byte of an answer. */
    void drop() {
        request.getConnectionMetaData().getConnection().getEndPoint().close();
        callback.failed(new ConnectionLostException("dropped on purpose"));
    }

    /** Ends the request when its handling broke down. */
    void failIfNeeded(@Nullable Throwable failure) {
        if (failure != null) {
            callback.failed(failure);
        }
    }

    private void head(int status, String contentType, int length) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, length);
    }

    private void dripFrom(int index, byte[] body, Duration interval) {
        boolean last = index == body.length - 1;
        ByteBuffer one = ByteBuffer.wrap(body, index, 1).slice();
        Callback next = last
                ? callback
                : Callback.from(() -> later(() -> dripFrom(index + 1, body, interval), interval), callback::failed);
        response.write(last, one, next);
    }

    private void later(Runnable step, Duration interval) {
        try {
            threads.later(step, interval);
        } catch (RejectedExecutionException e) {
            callback.failed(e);
        }
    }
}
