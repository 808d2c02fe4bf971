package org.prismpool.stratum;

import org.prismpool.stratum.codec.HexText;

/**
 * One delivered job with everything that a submit of it is judged by, frozen when it was stamped (spec 02 §3.1).
 *
 * @param jobId job id on the wire, unique in this process
 * @param epoch connection and generations it was made for
 * @param worker who is credited, also if another session of the same username submits it
 * @param extranonce1 all 32 bits, big-endian on the wire
 * @param work the work shared with other connections
 * @param difficulty share target and weight
 * @param version header version as advertised, without bits that miners may roll
 * @param versionMask mask of the connection when the job was made
 * @param issuedAtMillis wall clock when the job was made
 */
public record JobContext(
        String jobId,
        SessionEpoch epoch,
        WorkerIdentity worker,
        int extranonce1,
        SharedWork work,
        JobDifficulty difficulty,
        int version,
        int versionMask,
        long issuedAtMillis) {

    /**
     * Returns the extranonce1 as it was announced.
     *
     * @return eight lower-case hex digits
     */
    public String extranonce1Hex() {
        return HexText.ofInt(extranonce1);
    }

    /**
     * Returns the extranonce1 as it stands in the coinbase.
     *
     * @return four bytes, a fresh array
     */
    public byte[] extranonce1Bytes() {
        return new byte[] {
            (byte) (extranonce1 >>> 24), (byte) (extranonce1 >>> 16), (byte) (extranonce1 >>> 8), (byte) extranonce1
        };
    }

    /**
     * Encodes the job's update for the wire.
     *
     * @param clean the clean-jobs flag
     * @return the {@code mining.set_difficulty} and {@code mining.notify} lines
     */
    public byte[] update(boolean clean) {
        return work.fragment(version).update(difficulty.advertised(), jobId, clean);
    }
}
