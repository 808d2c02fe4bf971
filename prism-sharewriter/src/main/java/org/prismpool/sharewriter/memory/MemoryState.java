package org.prismpool.sharewriter.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.balance.CarryRow;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PayoutAccount;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.sharewriter.fanout.BroadcastAttempt;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutSet;
import org.prismpool.sharewriter.fanout.FanoutStatus;

/** All rows. Every field is guarded by this object's monitor. */
final class MemoryState {

    final LongSupplier wallClockMs;
    final List<StoredShare> shares = new ArrayList<>();
    final Map<String, StoredShare> sharesById = new HashMap<>();
    final TreeMap<String, Block> blocks = new TreeMap<>();
    final LinkedHashMap<String, Candidate> candidates = new LinkedHashMap<>();
    final LinkedHashMap<String, Fanout> fanouts = new LinkedHashMap<>();
    final Map<String, FanoutSet> fanoutSets = new HashMap<>();
    long nextShareSeq;
    long nextCarrySeq = 1;
    long nextPublication = 1;
    long nextCandidateMicros;

    MemoryState(LongSupplier wallClockMs, long firstShareSeq) {
        this.wallClockMs = wallClockMs;
        this.nextShareSeq = firstShareSeq;
    }

    /** A landed block with its rows. */
    static final class Block {
        final PoolBlock facts;
        final AuditBundleRow originalBundle;
        AuditBundleRow bundle;
        final List<Carry> carry = new ArrayList<>();
        ChainState chain = ChainState.PREPARED;
        MaturityState maturity = MaturityState.IMMATURE;
        OptionalLong publication = OptionalLong.empty();

        Block(PoolBlock facts, AuditBundleRow bundle) {
            this.facts = facts;
            this.originalBundle = bundle;
            this.bundle = bundle;
        }

        PoolBlock row() {
            return new PoolBlock(
                    facts.blockHash(),
                    facts.height(),
                    facts.parentHash(),
                    facts.coinbaseTxid(),
                    facts.payoutManifestSha256(),
                    facts.foundAtMs(),
                    chain,
                    maturity,
                    publication);
        }

        boolean counts() {
            return chain == ChainState.CONFIRMED && maturity != MaturityState.REVERSED;
        }
    }

    /** A journal row, which is its payout entry as well: both always change together. */
    static final class Carry {
        final long sequence;
        final PayoutAccount account;
        MaturityState maturity = MaturityState.IMMATURE;

        Carry(long sequence, PayoutAccount account) {
            this.sequence = sequence;
            this.account = account;
        }
    }

    /** A block candidate. */
    static final class Candidate {
        final long createdAtMicros;
        final String sha256;

        @Nullable String shareId;

        @Nullable String intent;

        @Nullable String lastError;

        CandidateState state = CandidateState.PENDING;
        int attempts;

        Candidate(long createdAtMicros, String sha256, String intent) {
            this.createdAtMicros = createdAtMicros;
            this.sha256 = sha256;
            this.intent = intent;
        }
    }

    /** A fanout transaction. */
    static final class Fanout {
        final String blockHash;
        final FanoutArtifact artifact;
        FanoutStatus status = FanoutStatus.AWAITING_MATURITY;
        long attempts;
        final Map<String, Long> counts = new TreeMap<>();
        final List<Attempt> details = new ArrayList<>();
        OptionalLong firstAttemptMs = OptionalLong.empty();
        Optional<Attempt> last = Optional.empty();
        OptionalLong nextAttemptMs = OptionalLong.empty();
        long backoffSeconds;
        long updatedAtMs;

        Fanout(String blockHash, FanoutArtifact artifact, long updatedAtMs) {
            this.blockHash = blockHash;
            this.artifact = artifact;
            this.updatedAtMs = updatedAtMs;
        }
    }

    /** An attempt with its place and time. */
    record Attempt(long sequence, long atMs, BroadcastAttempt attempt) {}

    /** Creation time of a candidate: the clock's, but never twice the same. */
    long candidateMicros() {
        nextCandidateMicros = Math.max(nextCandidateMicros + 1, wallClockMs.getAsLong() * 1000);
        return nextCandidateMicros;
    }

    /** Journal rows that count, by height, then sequence. */
    List<CarryRow> activeCarry() {
        List<CarryRow> rows = new ArrayList<>();
        for (Block block : blocks.values()) {
            if (block.counts()) {
                for (Carry carry : block.carry) {
                    if (carry.maturity != MaturityState.REVERSED) {
                        rows.add(new CarryRow(
                                carry.sequence,
                                block.facts.blockHash(),
                                block.facts.height(),
                                carry.account,
                                carry.maturity));
                    }
                }
            }
        }
        rows.sort((a, b) -> a.blockHeight() != b.blockHeight()
                ? Long.compare(a.blockHeight(), b.blockHeight())
                : Long.compare(a.sequence(), b.sequence()));
        return rows;
    }
}
