package org.prismpool.stratum;

import org.prismpool.stratum.codec.HexText;
import org.prismpool.templates.chain.Hash256;

/**
 * A submit that was assembled: the miner's choices and the header they give.
 *
 * @param job the job
 * @param extranonce2 the miner's bytes, as a number of as many bytes as announced, most significant first
 * @param ntime header time, 32 bits unsigned
 * @param nonce header nonce, 32 bits unsigned
 * @param version header version after rolling
 * @param hash hash of the header
 */
public record Submission(JobContext job, long extranonce2, long ntime, long nonce, int version, Hash256 hash) {

    /**
     * Returns the extranonce2 in lower-case hex.
     *
     * @return two digits for each announced byte
     */
    public String extranonce2Hex() {
        String full = HexText.ofInt((int) (extranonce2 >>> 32)) + HexText.ofInt((int) extranonce2);
        return full.substring(16 - 2 * job.work().template().extranonce2Size());
    }

    /**
     * Returns the extranonce2 as it stands in the coinbase.
     *
     * @return as many bytes as announced, a fresh array
     */
    public byte[] extranonce2Bytes() {
        byte[] bytes = new byte[job.work().template().extranonce2Size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (extranonce2 >>> 8 * (bytes.length - 1 - i));
        }
        return bytes;
    }
}
