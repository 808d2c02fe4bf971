package org.prismpool.sharewriter.postgres;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.StoredShare;

/**
 * Decodes shares from the server's binary rows. Addresses, jobs, programs and difficulties repeat: each is made once and
 * shared by its rows, so that a window of many shares holds few objects.
 *
 * <p>Confined to one reader.
 */
final class ShareDecoder {

    /** Columns in the order of {@link #decode}; an order key that is the address, as it is today, is not sent again. */
    static final String COLUMNS = "share_seq, share_id, miner_id, NULLIF(payout_order_key, miner_id), p2mr_program,"
            + " share_difficulty, network_difficulty, template_height, job_id, job_issued_at, accepted_at, ntime,"
            + " credit_policy";

    private static final int COUNT = 13;
    private static final int MOST_SHARED = 16_384;

    private final Map<ByteBuffer, String> texts = new HashMap<>();
    private final Map<ByteBuffer, BigInteger> numbers = new HashMap<>();
    private final Map<ByteBuffer, P2mrProgram> programs = new HashMap<>();

    /** Decodes the row that starts at the buffer's position. */
    StoredShare decode(ByteBuffer row) {
        if (row.getShort() != COUNT) {
            throw new IllegalStateException("a share has " + COUNT + " columns");
        }
        long sequence = number(row);
        String shareId = text(row, row.getInt());
        String minerId = shared(texts, row, row.getInt(), ShareDecoder::text);
        int orderKey = row.getInt();
        return new StoredShare(
                sequence,
                new PendingShare(
                        shareId,
                        minerId,
                        orderKey < 0 ? minerId : shared(texts, row, orderKey, ShareDecoder::text),
                        shared(programs, row, row.getInt(), ShareDecoder::program),
                        shared(numbers, row, row.getInt(), BinaryNumeric::read),
                        shared(numbers, row, row.getInt(), BinaryNumeric::read),
                        number(row),
                        shared(texts, row, row.getInt(), ShareDecoder::text),
                        ServerTime.toMillis(number(row)),
                        ServerTime.toMillis(number(row)),
                        number(row),
                        policy(row)));
    }

    private static long number(ByteBuffer row) {
        if (row.getInt() != Long.BYTES) {
            throw new IllegalStateException("a number of a share has " + Long.BYTES + " bytes");
        }
        return row.getLong();
    }

    private static CreditPolicy policy(ByteBuffer row) {
        int length = row.getInt();
        return CreditPolicy.ofText(length < 0 ? Optional.empty() : Optional.of(text(row, length)));
    }

    private static String text(ByteBuffer row, int length) {
        String text = new String(row.array(), row.arrayOffset() + row.position(), length, StandardCharsets.UTF_8);
        row.position(row.position() + length);
        return text;
    }

    private static String text(ByteBuffer field) {
        return text(field, field.remaining());
    }

    private static P2mrProgram program(ByteBuffer field) {
        byte[] bytes = new byte[field.remaining()];
        field.get(bytes);
        return P2mrProgram.of(bytes);
    }

    private static <T> T shared(Map<ByteBuffer, T> known, ByteBuffer row, int length, Function<ByteBuffer, T> decode) {
        ByteBuffer field = row.slice(row.position(), length);
        row.position(row.position() + length);
        T value = known.get(field);
        if (value == null) {
            value = decode.apply(field.duplicate());
            if (known.size() < MOST_SHARED) {
                int from = field.arrayOffset();
                known.put(ByteBuffer.wrap(Arrays.copyOfRange(field.array(), from, from + length)), value);
            }
        }
        return value;
    }
}
