package org.prismpool.sharewriter.postgres;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.StoredShare;

/**
 * Decodes shares from the server's binary rows. Addresses, jobs, programs and difficulties repeat: their rows share one
 * object, so that a window of many shares holds few of them.
 *
 * <p>The first read of a process runs code that was never run before, and compiling it competes with the server for
 * processors: hence plain arrays instead of buffers.
 *
 * <p>Confined to one reader.
 */
final class ShareDecoder {

    /** Columns in the order of {@link #decode}; an order key that is the address, as it is today, is not sent again. */
    static final String COLUMNS = "share_seq, share_id, miner_id, NULLIF(payout_order_key, miner_id), p2mr_program,"
            + " share_difficulty, network_difficulty, template_height, job_id, job_issued_at, accepted_at, ntime,"
            + " credit_policy";

    private static final int COUNT = 13;

    private final SharedFields<String> texts = new SharedFields<>(ShareDecoder::text);
    private final SharedFields<P2mrProgram> programs = new SharedFields<>(ShareDecoder::program);
    private final SharedFields<BigInteger> numbers = new SharedFields<>(ShareDecoder::numeric);
    private byte[] row = {};
    private int at;

    /** Tells whether a row starts there, and not the end of the stream. */
    static boolean startsAt(byte[] message, int from) {
        return message.length - from > Short.BYTES && count(message, from) >= 0;
    }

    private static int count(byte[] message, int from) {
        return (short) (message[from] << 8 | message[from + 1] & 0xff);
    }

    /** Decodes the row that starts there. */
    StoredShare decode(byte[] message, int from) {
        if (count(message, from) != COUNT) {
            throw new IllegalStateException("a share has " + COUNT + " columns");
        }
        row = message;
        at = from + Short.BYTES;
        long sequence = number();
        String shareId = text();
        String minerId = shared(texts, length());
        int orderKey = length();
        return new StoredShare(
                sequence,
                new PendingShare(
                        shareId,
                        minerId,
                        orderKey < 0 ? minerId : shared(texts, orderKey),
                        shared(programs, length()),
                        shared(numbers, length()),
                        shared(numbers, length()),
                        number(),
                        shared(texts, length()),
                        ServerTime.toMillis(number()),
                        ServerTime.toMillis(number()),
                        number(),
                        policy()));
    }

    private int length() {
        int start = at;
        at = start + Integer.BYTES;
        return row[start] << 24 | (row[start + 1] & 0xff) << 16 | (row[start + 2] & 0xff) << 8 | row[start + 3] & 0xff;
    }

    private long number() {
        if (length() != Long.BYTES) {
            throw new IllegalStateException("a number of a share has " + Long.BYTES + " bytes");
        }
        long high = length();
        return high << 32 | length() & 0xffff_ffffL;
    }

    private String text() {
        int length = length();
        String text = text(row, at, length);
        at += length;
        return text;
    }

    private CreditPolicy policy() {
        int length = length();
        return length < 0 ? CreditPolicy.CURRENT : CreditPolicy.ofText(Optional.of(text(row, at, length)));
    }

    private <T> T shared(SharedFields<T> known, int length) {
        int start = at;
        at = start + length;
        return known.of(row, start, length);
    }

    private static String text(byte[] bytes, int from, int length) {
        return new String(bytes, from, length, StandardCharsets.UTF_8);
    }

    private static P2mrProgram program(byte[] bytes, int from, int length) {
        byte[] program = new byte[length];
        System.arraycopy(bytes, from, program, 0, length);
        return P2mrProgram.of(program);
    }

    private static BigInteger numeric(byte[] bytes, int from, int length) {
        return BinaryNumeric.read(ByteBuffer.wrap(bytes, from, length));
    }
}
