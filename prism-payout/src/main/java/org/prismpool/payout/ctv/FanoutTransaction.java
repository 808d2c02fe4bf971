package org.prismpool.payout.ctv;

import java.util.List;
import org.prismpool.templates.chain.ByteWriter;
import org.prismpool.templates.chain.Hash256;

/** The bytes of a fanout transaction (settlement specification 7.1). */
final class FanoutTransaction {

    static final long SEQUENCE_BASE = 0x8000_0000L;
    static final byte[] ANCHOR_SCRIPT = {0x51, 0x02, 0x4e, 0x73};

    private static final int VERSION = 3; // TRUC

    private final long sequence;
    private final long lockTime;
    private final List<Payout> payouts;
    private final boolean anchored;

    /** An amount and the 32-byte program it is paid to. */
    @SuppressWarnings("ArrayRecordComponent") // never compared; the bytes are not shared
    record Payout(long amountSats, byte[] program) {}

    FanoutTransaction(long sequence, long lockTime, List<Payout> payouts, boolean anchored) {
        this.sequence = sequence;
        this.lockTime = lockTime;
        this.payouts = List.copyOf(payouts);
        this.anchored = anchored;
    }

    /** The form that the covenant hash is taken of: no witness, and a prevout that the hash does not commit to. */
    byte[] template(Hash256 previousTxid, long previousVout) {
        ByteWriter out = new ByteWriter(64 + 43 * payouts.size());
        out.i32(VERSION);
        writeBody(out, previousTxid, previousVout);
        return out.u32(lockTime).toByteArray();
    }

    /** The form that can be broadcast. */
    byte[] witnessed(Hash256 parentTxid, long parentVout, byte[] leafScript, byte[] controlBlock) {
        ByteWriter out = new ByteWriter(128 + 43 * payouts.size());
        out.i32(VERSION).u8(0).u8(1);
        writeBody(out, parentTxid, parentVout);
        out.u8(2).prefixedBytes(leafScript).prefixedBytes(controlBlock);
        return out.u32(lockTime).toByteArray();
    }

    private void writeBody(ByteWriter out, Hash256 previousTxid, long previousVout) {
        out.compactSize(1).hash(previousTxid).u32(previousVout).compactSize(0).u32(sequence);
        out.compactSize(payouts.size() + (anchored ? 1L : 0L));
        for (Payout payout : payouts) {
            out.i64(payout.amountSats()).prefixedBytes(ScriptTree.outputScript(payout.program()));
        }
        if (anchored) {
            out.i64(0).prefixedBytes(ANCHOR_SCRIPT);
        }
    }
}
