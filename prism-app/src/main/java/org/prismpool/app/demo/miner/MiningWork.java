package org.prismpool.app.demo.miner;

import java.math.BigDecimal;
import java.util.HexFormat;

/**
 * One job as this connection may work on it: the notify fields, the connection's extranonce1 and version mask, and the
 * share target that was in force when the job came. Immutable.
 */
final class MiningWork {

    static final int HEADER_SIZE = 80;
    static final int NONCE_OFFSET = 76;

    private final StratumSession session;
    private final NotifiedJob job;
    private final BigDecimal difficulty;
    private final HashThreshold shareThreshold;
    private final HashThreshold networkThreshold;
    private final int cleanJobs;

    /** @param cleanJobs how many clean jobs the session had seen when this work came */
    MiningWork(StratumSession session, NotifiedJob job, BigDecimal difficulty, int cleanJobs) {
        this.session = session;
        this.job = job;
        this.difficulty = difficulty;
        this.shareThreshold = HashThreshold.ofDifficulty(difficulty);
        this.cleanJobs = cleanJobs;
        this.networkThreshold = HashThreshold.ofCompact(job.bits());
    }

    StratumSession session() {
        return session;
    }

    int cleanJobs() {
        return cleanJobs;
    }

    NotifiedJob job() {
        return job;
    }

    BigDecimal difficulty() {
        return difficulty;
    }

    HashThreshold shareThreshold() {
        return shareThreshold;
    }

    HashThreshold networkThreshold() {
        return networkThreshold;
    }

    /** Returns the 80-byte header for one extranonce2 and one set of rolled version bits, its nonce still zero. */
    byte[] header(byte[] extranonce2, int versionBits, DoubleSha256 hasher) {
        byte[] header = new byte[HEADER_SIZE];
        int mask = session.versionMask();
        putLittleEndian(header, 0, job.version() & ~mask | versionBits & mask);
        byte[] previous = job.previousHash();
        for (int word = 0; word < 32; word += 4) {
            for (int i = 0; i < 4; i++) {
                header[4 + word + i] = previous[word + 3 - i];
            }
        }
        System.arraycopy(merkleRoot(extranonce2, hasher), 0, header, 36, 32);
        putLittleEndian(header, 68, job.ntime());
        putLittleEndian(header, 72, job.bits());
        return header;
    }

    static void putLittleEndian(byte[] target, int offset, int value) {
        target[offset] = (byte) value;
        target[offset + 1] = (byte) (value >>> 8);
        target[offset + 2] = (byte) (value >>> 16);
        target[offset + 3] = (byte) (value >>> 24);
    }

    private byte[] merkleRoot(byte[] extranonce2, DoubleSha256 hasher) {
        byte[] extranonce1 = HexFormat.of().parseHex(session.extranonce1());
        byte[] coinbase = concat(job.coinbaseStart(), extranonce1, extranonce2, job.coinbaseEnd());
        byte[] root = new byte[32];
        hasher.hash(coinbase, root);
        for (byte[] sibling : job.branch()) {
            hasher.hash(concat(root, sibling), root);
        }
        return root;
    }

    private static byte[] concat(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] whole = new byte[length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, whole, at, part.length);
            at += part.length;
        }
        return whole;
    }
}
