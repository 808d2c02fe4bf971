package org.prismpool.sharewriter.postgres;

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Writes new shares with the server's binary bulk load: rows are neither parsed from text nor planned, and their index
 * entries remain as the only cost.
 */
final class ShareCopyIn {

    private static final String COPY = "COPY qbit_share_ledger (share_seq, share_id, miner_id, payout_order_key,"
            + " p2mr_program, share_difficulty, network_difficulty, template_height, job_id, job_issued_at, accepted_at,"
            + " ntime, credit_policy, writer_id, writer_epoch) FROM STDIN (FORMAT binary)";

    private static final int COLUMNS = 15;
    private static final int BYTES_OF_A_ROW = 512;
    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0};

    private ShareCopyIn() {}

    /**
     * Writes rows whose ids do not exist.
     *
     * @param rows shares in the order of their sequences
     * @param sequences sequence of each id
     */
    static void write(Connection connection, WriterFence fence, List<PendingShare> rows, Map<String, Long> sequences)
            throws SQLException {
        byte[] bytes = encode(fence, rows, sequences);
        CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(COPY);
        try {
            copy.writeToCopy(bytes, 0, bytes.length);
            copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    static byte[] encode(WriterFence fence, List<PendingShare> rows, Map<String, Long> sequences) {
        ByteArrayDataOutput out = ByteStreams.newDataOutput(rows.size() * BYTES_OF_A_ROW);
        out.write(SIGNATURE);
        out.writeInt(0); // flags
        out.writeInt(0); // header extension
        byte[] writerId = fence.identity().writerId().getBytes(StandardCharsets.UTF_8);
        for (PendingShare row : rows) {
            out.writeShort(COLUMNS);
            number(out, Objects.requireNonNull(sequences.get(row.shareId()), "a new share has a sequence"));
            share(out, row);
            bytes(out, writerId);
            number(out, fence.identity().epoch());
        }
        out.writeShort(-1); // end of the rows
        return out.toByteArray();
    }

    private static void share(ByteArrayDataOutput out, PendingShare row) {
        text(out, row.shareId());
        text(out, row.minerId());
        text(out, row.orderKey());
        bytes(out, row.program().bytes());
        BinaryNumeric.write(out, row.shareDifficulty());
        BinaryNumeric.write(out, row.networkDifficulty());
        number(out, row.templateHeight());
        text(out, row.jobId());
        number(out, ServerTime.ofMillis(row.jobIssuedAtMs()));
        number(out, ServerTime.ofMillis(row.acceptedAtMs()));
        number(out, row.ntime());
        Optional<String> policy = row.creditPolicy().text();
        if (policy.isPresent()) {
            text(out, policy.get());
        } else {
            out.writeInt(-1); // no value
        }
    }

    private static void text(ByteArrayDataOutput out, String value) {
        bytes(out, value.getBytes(StandardCharsets.UTF_8));
    }

    private static void bytes(ByteArrayDataOutput out, byte[] value) {
        out.writeInt(value.length);
        out.write(value);
    }

    private static void number(ByteArrayDataOutput out, long value) {
        out.writeInt(Long.BYTES);
        out.writeLong(value);
    }
}
