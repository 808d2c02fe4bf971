package org.prismpool.payout.window;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.prismpool.payout.json.ByteSink;
import org.prismpool.payout.json.U128;

/** Encodes the records of the share-slice digest (payout specification 10, item 1) into a sink. For one thread. */
final class SliceDigest {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int BLOCK = 1 << 15;
    private static final int FIXED = 8 * Long.BYTES; // sequence, length of the id, two difficulties, two times
    private static final byte[] CREDIT_POLICY = "credit_policy".getBytes(StandardCharsets.US_ASCII);

    private final ByteSink sink;
    private final byte[] block = new byte[BLOCK];
    private int used;

    SliceDigest(ByteSink sink) {
        this.sink = sink;
    }

    void add(WindowShare share, U128 counted) {
        byte[] id = share.shareId().getBytes(StandardCharsets.UTF_8);
        byte[] fields = share.identity().digestFields();
        if (FIXED + id.length + fields.length > BLOCK) {
            addLong(share, id, fields, counted);
        } else {
            room(FIXED + id.length + fields.length);
            put(share.shareSeq());
            put(id.length);
            copy(id);
            copy(fields);
            put(share.shareDifficulty().high());
            put(share.shareDifficulty().low());
            put(counted.high());
            put(counted.low());
            put(share.jobIssuedAtMs());
            put(share.acceptedAtMs());
        }
        Optional<String> policy = share.creditPolicy();
        if (policy.isPresent()) {
            number(CREDIT_POLICY.length);
            raw(CREDIT_POLICY);
            byte[] utf8 = policy.get().getBytes(StandardCharsets.UTF_8);
            number(utf8.length);
            raw(utf8);
        }
    }

    /** The same for texts that do not fit a block. */
    private void addLong(WindowShare share, byte[] id, byte[] fields, U128 counted) {
        number(share.shareSeq());
        number(id.length);
        raw(id);
        raw(fields);
        room(FIXED);
        put(share.shareDifficulty().high());
        put(share.shareDifficulty().low());
        put(counted.high());
        put(counted.low());
        put(share.jobIssuedAtMs());
        put(share.acceptedAtMs());
    }

    void raw(byte[] bytes) {
        if (bytes.length > BLOCK) {
            flush();
            sink.accept(bytes, 0, bytes.length);
            return;
        }
        room(bytes.length);
        copy(bytes);
    }

    void flush() {
        if (used > 0) {
            sink.accept(block, 0, used);
            used = 0;
        }
    }

    private void number(long value) {
        room(Long.BYTES);
        put(value);
    }

    private void room(int bytes) {
        if (used + bytes > BLOCK) {
            flush();
        }
    }

    private void put(long value) {
        LONG.set(block, used, value);
        used += Long.BYTES;
    }

    private void copy(byte[] bytes) {
        System.arraycopy(bytes, 0, block, used, bytes.length);
        used += bytes.length;
    }
}
