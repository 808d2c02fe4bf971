package org.prismpool.stratum.session;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.stratum.FoundJob;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.Submission;
import org.prismpool.stratum.codec.HexText;
import org.prismpool.stratum.codec.JsonValue;
import org.prismpool.stratum.codec.ParsedLine;
import org.prismpool.stratum.share.Rejection;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.job.BlockAssembler;

/** One submit on its way through the checks. Confined to the event loop. */
final class SubmitAttempt {

    final byte[] id;
    final long arrivedNanos;
    final String extranonce2;
    final String ntimeText;
    final String nonceText;
    private final @Nullable String versionBits;
    final FoundJob found;
    AnswerQueue.@Nullable Slot slot; // taken once the submit waits for something

    private long extranonce2Value;
    private long ntime;
    private long nonce;
    private int version;
    private boolean sharePass;
    private boolean blockPass;
    private @Nullable Hash256 hash;

    SubmitAttempt(ParsedLine.Request request, FoundJob found, long arrivedNanos) {
        this.id = request.id();
        this.arrivedNanos = arrivedNanos;
        this.extranonce2 = request.text(2);
        this.ntimeText = request.text(3);
        this.nonceText = request.text(4);
        boolean absent = request.params().size() < 6 || request.params().get(5) instanceof JsonValue.Null;
        this.versionBits = absent ? null : request.text(5);
        this.found = found;
    }

    JobContext job() {
        return found.job();
    }

    boolean own() {
        return found.standing() != FoundJob.Standing.CROSS_CONNECTION;
    }

    /** Reads the fields and hashes the header; returns what is malformed, or empty. */
    Optional<Rejection> assemble(BlockAssembler assembler, int currentMask) {
        JobContext job = found.job();
        byte[] bytes = new byte[extranonce2.length() / 2];
        if (!HexText.decode(extranonce2, bytes, 0)) {
            return Optional.of(Rejection.EXTRANONCE2_HEX);
        }
        ntime = HexText.unsigned32(ntimeText);
        if (ntime < 0) {
            return Optional.of(Rejection.NTIME_HEX);
        }
        nonce = HexText.unsigned32(nonceText);
        if (nonce < 0) {
            return Optional.of(Rejection.NONCE_HEX);
        }
        version = job.version();
        if (versionBits != null) {
            long bits = HexText.unsigned32(versionBits);
            if (bits < 0) {
                return Optional.of(Rejection.VERSION_BITS_HEX);
            }
            if (!VersionMask.allows((int) bits, currentMask, job.versionMask(), own())) {
                return Optional.of(Rejection.VERSION_BITS_MASK);
            }
            version = VersionMask.apply(version, (int) bits);
        }
        hash(assembler, job, bytes);
        return Optional.empty();
    }

    private void hash(BlockAssembler assembler, JobContext job, byte[] bytes) {
        for (byte b : bytes) {
            extranonce2Value = extranonce2Value << 8 | b & 0xff;
        }
        assembler.assemble(job.work().template(), job.extranonce1Bytes(), bytes, version, ntime, nonce);
        sharePass = assembler.meets(job.difficulty().shareTarget());
        blockPass = assembler.meets(job.work().template().networkTarget());
        hash = assembler.hash();
    }

    long ntime() {
        return ntime;
    }

    boolean sharePass() {
        return sharePass;
    }

    boolean blockPass() {
        return blockPass;
    }

    Hash256 hash() {
        if (hash == null) {
            throw new IllegalStateException("the submit was not assembled");
        }
        return hash;
    }

    Submission submission() {
        return new Submission(job(), extranonce2Value, ntime, nonce, version, hash());
    }
}
