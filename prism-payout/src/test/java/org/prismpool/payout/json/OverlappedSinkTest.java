package org.prismpool.payout.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class OverlappedSinkTest {

    private static final String THREAD = "prism-payout-sink-test";
    private static final byte[] PART = new byte[100_000];

    private static void produce(int parts, ByteSink sink) {
        for (int i = 0; i < parts; i++) {
            sink.accept(PART, 0, PART.length);
        }
    }

    @Test
    void theSinkGetsEveryByteInOrderOnItsOwnThread() {
        byte[] bytes = new byte[5_000_003];
        new Random(5).nextBytes(bytes);
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        Set<String> threads = new HashSet<>();
        ByteSink sink = (block, offset, length) -> {
            threads.add(Thread.currentThread().getName());
            taken.write(block, offset, length);
        };
        Consumer<ByteSink> producer = out -> {
            for (int at = 0; at < bytes.length; at += 40_001) {
                out.accept(bytes, at, Math.min(40_001, bytes.length - at));
            }
        };

        OverlappedSink.run(THREAD, sink, producer);

        assertThat(taken.toByteArray()).isEqualTo(bytes);
        assertThat(threads).containsExactly(THREAD);
    }

    @Test
    void whatTheSinkThrowsComesAtTheEndAndItIsNotCalledAgain() {
        AtomicInteger calls = new AtomicInteger();
        UncheckedIOException full = new UncheckedIOException(new IOException("no space left on device"));
        ByteSink sink = (block, offset, length) -> {
            calls.incrementAndGet();
            throw full;
        };

        // more than all blocks together: the producer would wait for ever if nobody took them
        assertThatThrownBy(() -> OverlappedSink.run(THREAD, sink, out -> produce(60, out)))
                .isSameAs(full);

        assertThat(calls).hasValue(1);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals(THREAD));
    }

    @Test
    void whatTheProducerThrowsWins() {
        ByteSink sink = (block, offset, length) -> {
            throw new IllegalStateException("sink");
        };

        assertThatThrownBy(() -> OverlappedSink.run(THREAD, sink, out -> {
                    produce(10, out);
                    throw new IllegalArgumentException("producer");
                }))
                .hasMessage("producer");
    }
}
