package org.prismpool.payout.ctv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.prismpool.payout.json.Hex;
import org.prismpool.templates.chain.ByteWriter;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Sha256d;

/**
 * A transaction parsed with the contract texts of the manifest verifier (settlement specification 8.1).
 *
 * @param version version field
 * @param inputs inputs
 * @param outputs outputs
 * @param hasWitness whether it was given with marker, flag and witness
 * @param lockTime lock time, unsigned 32 bits
 */
record StrictTransaction(int version, List<Input> inputs, List<Output> outputs, boolean hasWitness, long lockTime) {

    private static final long MAX_MONEY = 21_000_000_000_000_000L;

    /** An input; hashes in internal order, numbers unsigned 32 bits. */
    @SuppressWarnings("ArrayRecordComponent") // never compared; the bytes are not shared
    record Input(Hash256 previousTxid, long previousVout, byte[] scriptSig, long sequence, List<byte[]> witness) {}

    /** An output. */
    @SuppressWarnings("ArrayRecordComponent") // never compared; the bytes are not shared
    record Output(long value, byte[] script) {}

    static StrictTransaction parseHex(String field, String hex) {
        try {
            return new Cursor(field, Hex.decode(hex)).transaction();
        } catch (Hex.MalformedHexException e) {
            throw CtvErrors.manifest(field + " is not valid hex: " + e.reason());
        }
    }

    Hash256 txid() {
        ByteWriter out = new ByteWriter();
        out.i32(version).compactSize(inputs.size());
        for (Input input : inputs) {
            out.hash(input.previousTxid())
                    .u32(input.previousVout())
                    .prefixedBytes(input.scriptSig())
                    .u32(input.sequence());
        }
        out.compactSize(outputs.size());
        for (Output output : outputs) {
            out.i64(output.value()).prefixedBytes(output.script());
        }
        out.u32(lockTime);
        return Sha256d.hash(out.toByteArray());
    }

    /** Reads bytes in order; every count is checked against what is left before anything is allocated. */
    private static final class Cursor {

        private static final int MIN_INPUT = 41;
        private static final int MIN_OUTPUT = 9;

        private final String field;
        private final byte[] bytes;
        private int at;

        Cursor(String field, byte[] bytes) {
            this.field = field;
            this.bytes = bytes;
        }

        StrictTransaction transaction() {
            int version = (int) u32();
            long inputCount = compactSize();
            boolean witness = inputCount == 0 && at < bytes.length && bytes[at] != 0;
            if (inputCount == 0) {
                if (at < bytes.length && bytes[at] == 0) {
                    throw CtvErrors.manifest(field + " has invalid witness flag 0");
                }
                u8();
                inputCount = compactSize();
            }
            CtvErrors.require(inputCount > 0, field + " has no inputs");
            List<Unwitnessed> inputs = inputs(count(inputCount, MIN_INPUT));
            List<Output> outputs = outputs(count(compactSize(), MIN_OUTPUT));
            List<Input> complete = new ArrayList<>(inputs.size());
            for (Unwitnessed input : inputs) {
                complete.add(new Input(
                        input.txid(),
                        input.vout(),
                        input.scriptSig(),
                        input.sequence(),
                        witness ? stack() : List.of()));
            }
            long lockTime = u32();
            CtvErrors.require(at == bytes.length, field + " has trailing transaction bytes");
            return new StrictTransaction(version, complete, outputs, witness, lockTime);
        }

        @SuppressWarnings("ArrayRecordComponent") // never compared; the bytes are not shared
        private record Unwitnessed(Hash256 txid, long vout, byte[] scriptSig, long sequence) {}

        private List<Unwitnessed> inputs(int count) {
            List<Unwitnessed> inputs = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                Hash256 txid = Hash256.ofInternal(take(32));
                long vout = u32();
                byte[] scriptSig = take(count(compactSize(), 1));
                inputs.add(new Unwitnessed(txid, vout, scriptSig, u32()));
            }
            return inputs;
        }

        private List<Output> outputs(int count) {
            List<Output> outputs = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                long value = u32() | (u32() << 32);
                CtvErrors.require(value >= 0, field + " has negative transaction output value");
                CtvErrors.require(value <= MAX_MONEY, field + " has transaction output value above MAX_MONEY");
                outputs.add(new Output(value, take(count(compactSize(), 1))));
            }
            return outputs;
        }

        private List<byte[]> stack() {
            int count = count(compactSize(), 1);
            List<byte[]> items = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                items.add(take(count(compactSize(), 1)));
            }
            return items;
        }

        private int count(long declared, int minimumSize) {
            if (declared < 0 || declared > (bytes.length - at) / minimumSize) {
                throw truncated();
            }
            return (int) declared;
        }

        private long compactSize() {
            int first = u8();
            if (first < 0xfd) {
                return first;
            }
            long value;
            long smallest;
            if (first == 0xfd) {
                value = u8() | (u8() << 8);
                smallest = 0xfd;
            } else if (first == 0xfe) {
                value = u32();
                smallest = 0x1_0000;
            } else {
                value = u32() | (u32() << 32);
                smallest = 0x1_0000_0000L;
            }
            CtvErrors.require(Long.compareUnsigned(value, smallest) >= 0, field + " has non-canonical compact size");
            return value;
        }

        private long u32() {
            return u8() | ((long) u8() << 8) | ((long) u8() << 16) | ((long) u8() << 24);
        }

        private int u8() {
            if (at >= bytes.length) {
                throw truncated();
            }
            return bytes[at++] & 0xff;
        }

        private byte[] take(int length) {
            if (length > bytes.length - at) {
                throw truncated();
            }
            byte[] taken = Arrays.copyOfRange(bytes, at, at + length);
            at += length;
            return taken;
        }

        private RuntimeException truncated() {
            return CtvErrors.manifest(field + " transaction is truncated");
        }
    }
}
