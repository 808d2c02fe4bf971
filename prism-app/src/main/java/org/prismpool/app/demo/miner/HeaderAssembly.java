package org.prismpool.app.demo.miner;

/** Builds block headers out of the fields of one job (spec 02 §5.3). Immutable. */
final class HeaderAssembly {

    static final int HEADER_SIZE = 80;
    static final int NONCE_OFFSET = 76;

    private static final int HASH_SIZE = 32;

    private final NotifiedJob job;
    private final byte[] extranonce1;
    private final int versionMask;

    HeaderAssembly(NotifiedJob job, byte[] extranonce1, int versionMask) {
        this.job = job;
        this.extranonce1 = extranonce1.clone();
        this.versionMask = versionMask;
    }

    /** Returns the header for one extranonce2 and one set of rolled version bits, its nonce still zero. */
    byte[] header(byte[] extranonce2, int versionBits, DoubleSha256 hasher) {
        byte[] header = new byte[HEADER_SIZE];
        putLittleEndian(header, 0, (job.version() & ~versionMask) | (versionBits & versionMask));
        byte[] previous = job.previousHash();
        for (int word = 0; word < HASH_SIZE; word += 4) {
            for (int i = 0; i < 4; i++) {
                header[4 + word + i] = previous[word + 3 - i];
            }
        }
        System.arraycopy(merkleRoot(extranonce2, hasher), 0, header, 36, HASH_SIZE);
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
        byte[] root = new byte[HASH_SIZE];
        hasher.hash(concat(job.coinbaseStart(), extranonce1, extranonce2, job.coinbaseEnd()), root);
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
