package org.prismpool.payout.window;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.prismpool.payout.json.ByteSink;
import org.prismpool.payout.json.U128;

/** Encodes the records of the share-slice digest (payout specification 10, item 1) into a sink. For one thread. */
final class SliceDigest {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int BLOCK = 1 << 15;
    private static final byte[] CREDIT_POLICY = "credit_policy".getBytes(StandardCharsets.US_ASCII);

    private final ByteSink sink;
    private final byte[] block = new byte[BLOCK];
    private int used;

    SliceDigest(ByteSink sink) {
        this.sink = sink;
    }

    void add(WindowShare share, U128 counted) {
        number(share.shareSeq());
        text(share.shareId());
        raw(share.identity().digestFields());
        number(share.shareDifficulty().high());
        number(share.shareDifficulty().low());
        number(counted.high());
        number(counted.low());
        number(share.jobIssuedAtMs());
        number(share.acceptedAtMs());
        String policy = share.creditPolicy();
        if (policy != null) {
            number(CREDIT_POLICY.length);
            raw(CREDIT_POLICY);
            text(policy);
        }
    }

    void raw(byte[] bytes) {
        if (bytes.length > BLOCK) {
            flush();
            sink.accept(bytes, 0, bytes.length);
            return;
        }
        if (used + bytes.length > BLOCK) {
            flush();
        }
        System.arraycopy(bytes, 0, block, used, bytes.length);
        used += bytes.length;
    }

    void flush() {
        if (used > 0) {
            sink.accept(block, 0, used);
            used = 0;
        }
    }

    private void number(long value) {
        if (used + 8 > BLOCK) {
            flush();
        }
        LONG.set(block, used, value);
        used += 8;
    }

    private void text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        number(utf8.length);
        raw(utf8);
    }
}
