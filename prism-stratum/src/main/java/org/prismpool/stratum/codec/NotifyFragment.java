package org.prismpool.stratum.codec;

import java.math.BigDecimal;

/**
 * The seven parameters of {@code mining.notify} that all clients of one work share, encoded once (spec 02 §5.1), and the
 * update lines spliced from it. Immutable and thread-safe.
 */
public final class NotifyFragment {

    private static final byte[] DIFFICULTY =
            ResponseWriter.ascii("{\"id\": null, \"method\": \"mining.set_difficulty\", \"params\": [");
    private static final byte[] NOTIFY =
            ResponseWriter.ascii("]}\n{\"id\": null, \"method\": \"mining.notify\", \"params\": [\"");
    private static final byte[] CLEAN = ResponseWriter.ascii("true]}\n");
    private static final byte[] NOT_CLEAN = ResponseWriter.ascii("false]}\n");

    /** A difficulty and its text; most sessions of a fan-out have the same one. */
    private record Written(double difficulty, byte[] text) {}

    private final byte[] shared;
    private volatile Written lastWritten = new Written(1, ResponseWriter.ascii("1")); // any thread may replace it

    /**
     * Creates a fragment.
     *
     * @param sharedParams JSON text of the parameters from the previous hash to the time, comma separated
     */
    public NotifyFragment(String sharedParams) {
        this.shared = ResponseWriter.ascii("\", " + sharedParams + ", ");
    }

    /**
     * Encodes one update: the {@code mining.set_difficulty} line and the {@code mining.notify} line.
     *
     * @param difficulty advertised difficulty
     * @param jobId job id, ASCII without quotes
     * @param clean the clean-jobs flag
     * @return both lines
     */
    public byte[] update(double difficulty, String jobId, boolean clean) {
        Written written = lastWritten;
        if (written.difficulty() != difficulty) {
            written = new Written(difficulty, ResponseWriter.ascii(difficultyText(difficulty)));
            lastWritten = written;
        }
        byte[] number = written.text();
        byte[] job = ResponseWriter.ascii(jobId);
        byte[] tail = clean ? CLEAN : NOT_CLEAN;
        byte[] lines =
                new byte[DIFFICULTY.length + number.length + NOTIFY.length + job.length + shared.length + tail.length];
        int at = ResponseWriter.put(lines, 0, DIFFICULTY);
        at = ResponseWriter.put(lines, at, number);
        at = ResponseWriter.put(lines, at, NOTIFY);
        at = ResponseWriter.put(lines, at, job);
        at = ResponseWriter.put(lines, at, shared);
        ResponseWriter.put(lines, at, tail);
        return lines;
    }

    /**
     * Returns the length of a typical notify line, for the size gauge.
     *
     * @return bytes of the line with a job id of 24 characters
     */
    public int notifyBytes() {
        return NOTIFY.length - 3 + 24 + shared.length + NOT_CLEAN.length;
    }

    /**
     * Writes a difficulty as a plain decimal: no exponent, no trailing {@code .0} (spec 02 §2.5).
     *
     * @param difficulty finite and above 0
     * @return a text that parses back to exactly this double
     */
    public static String difficultyText(double difficulty) {
        if (!(difficulty > 0) || Double.isInfinite(difficulty)) {
            throw new IllegalArgumentException("not an advertisable difficulty: " + difficulty);
        }
        return new BigDecimal(Double.toString(difficulty)).stripTrailingZeros().toPlainString();
    }
}
