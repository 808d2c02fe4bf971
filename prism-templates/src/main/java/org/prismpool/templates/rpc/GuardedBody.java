package org.prismpool.templates.rpc;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;

/**
 * A request body that refuses to start once its call is over, and remembers whether it started.
 *
 * <p>A connection that is made too late may carry the header lines, but never the request itself: the node then has
 * nothing to act on, so the outcome is known.
 */
final class GuardedBody implements HttpRequest.BodyPublisher {

    private final HttpRequest.BodyPublisher body;
    private final long length;
    private final Deadline deadline;
    private final CancelSignal cancel;
    private volatile boolean started;
    private volatile boolean withdrawn;

    GuardedBody(byte[] bytes, Deadline deadline, CancelSignal cancel) {
        this.body = HttpRequest.BodyPublishers.ofByteArray(bytes);
        this.length = bytes.length;
        this.deadline = deadline;
        this.cancel = cancel;
    }

    /** Forbids a start from now on; a start that is under way is seen by {@link #started()} afterwards. */
    synchronized void withdraw() {
        withdrawn = true;
    }

    boolean started() {
        return started;
    }

    @Override
    public long contentLength() {
        return length;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        boolean allowed;
        synchronized (this) {
            allowed = !withdrawn && !deadline.expired() && !cancel.cancelled();
            started |= allowed;
        }
        if (allowed) {
            body.subscribe(subscriber);
            return;
        }
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long n) {}

            @Override
            public void cancel() {}
        });
        subscriber.onError(new IOException("call ended before its request was sent"));
    }
}
