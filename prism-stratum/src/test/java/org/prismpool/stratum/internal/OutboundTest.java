package org.prismpool.stratum.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.prismpool.stratum.DeliveryResult;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.SessionEpoch;
import org.prismpool.stratum.WorkedExample;
import org.prismpool.stratum.WorkerIdentity;
import org.prismpool.stratum.session.DifficultyStamp;

/** Spec 02 §1.6: what waits for a slow reader. The channel is not flushed, so nothing leaves it. */
class OutboundTest {

    private static final Runnable NOTHING = () -> {};

    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final Outbound outbound;

    OutboundTest() {
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(10, 20));
        ChannelHandlerContext context = channel.pipeline().firstContext();
        outbound = new Outbound(context, 5000);
    }

    @Test
    void onlyTheNewestUpdateWaitsAndItIsCleanIfEitherWas() {
        outbound.respond(bytes("x".repeat(64)), NOTHING, 0);
        CompletableFuture<DeliveryResult> first =
                outbound.update(job("one"), true, () -> true, 0).toCompletableFuture();
        outbound.respond(bytes("answer\n"), NOTHING, 0);
        CompletableFuture<DeliveryResult> second =
                outbound.update(job("two"), false, () -> true, 0).toCompletableFuture();
        assertThat(first).isCompletedWithValue(DeliveryResult.REPLACED);
        assertThat(second).isNotDone();

        String sent = drainAll();
        assertThat(sent).doesNotContain("\"one\"").contains("\"two\"").contains("true]}\n");
        assertThat(sent.indexOf("answer")).isLessThan(sent.indexOf("mining.set_difficulty"));
        assertThat(second).isCompletedWithValue(DeliveryResult.WRITTEN);
        assertThat(outbound.empty()).isTrue();
    }

    @Test
    void anUpdateThatIsNotWantedAnyMoreIsDropped() {
        outbound.respond(bytes("x".repeat(64)), NOTHING, 0);
        CompletableFuture<DeliveryResult> update =
                outbound.update(job("one"), true, () -> false, 0).toCompletableFuture();

        assertThat(drainAll()).doesNotContain("mining.notify");
        assertThat(update).isCompletedWithValue(DeliveryResult.DROPPED);
    }

    @Test
    void moreThanTheLimitOverflowsButTwoUpdatesNever() {
        Outbound tight = new Outbound(channel.pipeline().firstContext(), 100);
        tight.respond(bytes("x".repeat(64)), NOTHING, 0);
        tight.update(job("one"), true, () -> true, 0);
        assertThat(tight.overflowing()).isFalse();
        for (int i = 0; i < 30; i++) {
            tight.respond(bytes("y".repeat(100)), NOTHING, 0);
        }
        assertThat(tight.overflowing()).isTrue();
    }

    @Test
    void bytesWithoutProgressAreStuckAfterTheLimit() {
        outbound.respond(bytes("x".repeat(64)), NOTHING, 1000);
        assertThat(outbound.stuck(1000 + 20, 20)).isFalse();
        assertThat(outbound.stuck(1000 + 21, 20)).isTrue();
        assertThat(outbound.stuck(1_000_000, 0)).as("no limit").isFalse();
        channel.flush();
        assertThat(outbound.stuck(1_000_000, 20)).as("nothing waits").isFalse();
    }

    @Test
    void closingGivesUpWhatWaits() {
        outbound.respond(bytes("x".repeat(64)), NOTHING, 0);
        CompletableFuture<DeliveryResult> update =
                outbound.update(job("one"), true, () -> true, 0).toCompletableFuture();
        outbound.close();

        assertThat(update).isCompletedWithValue(DeliveryResult.CLOSED);
        assertThat(outbound.update(job("two"), true, () -> true, 0).toCompletableFuture())
                .isCompletedWithValue(DeliveryResult.CLOSED);
    }

    private String drainAll() {
        List<ByteBuf> written = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            channel.flush();
            outbound.drain(0);
        }
        channel.flush();
        StringBuilder text = new StringBuilder();
        ByteBuf next = channel.readOutbound();
        while (next != null) {
            written.add(next);
            text.append(next.toString(StandardCharsets.ISO_8859_1));
            next = channel.readOutbound();
        }
        written.forEach(ByteBuf::release);
        return text.toString();
    }

    private static JobContext job(String id) {
        BigDecimal one = BigDecimal.ONE;
        return new JobContext(
                id,
                new SessionEpoch(1, 1, 0),
                new WorkerIdentity(WorkedExample.USER, WorkedExample.ADDRESS, Optional.of("rig1"), "aa".repeat(32)),
                1,
                WorkedExample.work(),
                DifficultyStamp.of(
                        one, Optional.empty(), WorkedExample.template().networkTarget(), true),
                0x20000000,
                0,
                0);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
