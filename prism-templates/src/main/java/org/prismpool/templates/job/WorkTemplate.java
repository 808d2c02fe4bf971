package org.prismpool.templates.job;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.MerkleBranch;
import org.prismpool.templates.chain.ScaledDifficulty;
import org.prismpool.templates.chain.Target;
import org.prismpool.templates.chain.VersionLayout;

/**
 * The work that all connections of one bundle share: everything of a job except its id, its extranonce1, its share
 * target and the clean flag.
 *
 * <p>Immutable and thread-safe. The strings of {@code mining.notify} are computed once.
 */
public final class WorkTemplate {

    private static final int WORD = 4;

    private final BlockTerms terms;
    private final TransactionSet transactions;
    private final CoinbaseSplit coinbase;
    private final long generation;
    private final String fingerprint;
    private final BigInteger scaledNetworkDifficulty;
    private final String prevhashHex;
    private final List<String> branchHex;
    private final String ntimeHex;

    /**
     * Creates the shared work.
     *
     * @param terms what the node demands
     * @param transactions transactions of the template
     * @param coinbase coinbase of the bundle
     * @param generation generation of the template observation
     * @param fingerprint identity of the template, 64 hex digits
     */
    public WorkTemplate(
            BlockTerms terms,
            TransactionSet transactions,
            CoinbaseSplit coinbase,
            long generation,
            String fingerprint) {
        this.terms = terms;
        this.transactions = transactions;
        this.coinbase = coinbase;
        this.generation = generation;
        this.fingerprint = fingerprint;
        this.scaledNetworkDifficulty = ScaledDifficulty.of(terms.bits().target());
        this.prevhashHex = notifyHash(terms.parent());
        this.branchHex = transactions.branch().siblings().stream()
                .map(Hash256::internalHex)
                .toList();
        this.ntimeHex = String.format(Locale.ROOT, "%08x", terms.time().current());
    }

    /** Reverses the bytes of each four-byte word, as {@code mining.notify} shows the parent. */
    private static String notifyHash(Hash256 hash) {
        byte[] bytes = hash.internalBytes();
        byte[] flipped = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            flipped[i] = bytes[i / WORD * WORD + WORD - 1 - i % WORD];
        }
        return Hex.encode(flipped);
    }

    /**
     * Returns the same bundle under a newer observation of the same template, so that new jobs carry its clock.
     *
     * @param newerTerms terms that differ in time only
     * @param newerGeneration generation of the newer observation
     * @return the work with the new time and generation
     * @throws IllegalArgumentException if anything but the time differs
     */
    public WorkTemplate rebound(BlockTerms newerTerms, long newerGeneration) {
        BlockTerms sameExceptTime = new BlockTerms(
                terms.parent(),
                terms.height(),
                terms.coinbaseValueSats(),
                terms.version(),
                terms.bits(),
                newerTerms.time());
        if (!sameExceptTime.equals(newerTerms)) {
            throw new IllegalArgumentException("only the clock may differ between observations of one template");
        }
        return new WorkTemplate(newerTerms, transactions, coinbase, newerGeneration, fingerprint);
    }

    /**
     * Returns what the node demands.
     *
     * @return the terms
     */
    public BlockTerms terms() {
        return terms;
    }

    /**
     * Returns the block to build on.
     *
     * @return hash of the parent
     */
    public Hash256 parent() {
        return terms.parent();
    }

    /**
     * Returns the height of the block to find.
     *
     * @return parent height plus one
     */
    public long height() {
        return terms.height();
    }

    /**
     * Returns the header version that jobs carry.
     *
     * @return version with rollable bits cleared
     */
    public int version() {
        return terms.version();
    }

    /**
     * Returns the header time that new jobs carry.
     *
     * @return seconds since 1970
     */
    public long ntime() {
        return terms.time().current();
    }

    /**
     * Returns the network target.
     *
     * @return threshold of a block
     */
    public Target networkTarget() {
        return terms.bits().target();
    }

    /**
     * Returns the network difficulty as ledger and audit bundles store it.
     *
     * @return 1 or more
     */
    public BigInteger scaledNetworkDifficulty() {
        return scaledNetworkDifficulty;
    }

    /**
     * Returns the transactions.
     *
     * @return the set, shared by reference
     */
    public TransactionSet transactions() {
        return transactions;
    }

    /**
     * Returns the merkle branch of the coinbase.
     *
     * @return siblings bottom-up
     */
    public MerkleBranch branch() {
        return transactions.branch();
    }

    /**
     * Returns the coinbase.
     *
     * @return its split, shared by reference
     */
    public CoinbaseSplit coinbase() {
        return coinbase;
    }

    /**
     * Returns the size of extranonce2.
     *
     * @return 4 to 8 bytes
     */
    public int extranonce2Size() {
        return coinbase.extranonce2Size();
    }

    /**
     * Returns the generation of the template observation.
     *
     * @return process-wide increasing number
     */
    public long generation() {
        return generation;
    }

    /**
     * Returns the identity of the template.
     *
     * @return 64 hex digits
     */
    public String fingerprint() {
        return fingerprint;
    }

    /**
     * Returns the parent as {@code mining.notify} shows it.
     *
     * @return 64 hex digits, four-byte words reversed
     */
    public String prevhashHex() {
        return prevhashHex;
    }

    /**
     * Returns the merkle branch as {@code mining.notify} shows it.
     *
     * @return hex of each sibling in internal order
     */
    public List<String> branchHex() {
        return branchHex;
    }

    /**
     * Returns the version as {@code mining.notify} shows it.
     *
     * @return eight hex digits
     */
    public String versionHex() {
        return VersionLayout.hex(terms.version());
    }

    /**
     * Returns the network target as {@code mining.notify} shows it.
     *
     * @return eight hex digits
     */
    public String bitsHex() {
        return terms.bits().hex();
    }

    /**
     * Returns the time as {@code mining.notify} shows it.
     *
     * @return eight hex digits
     */
    public String ntimeHex() {
        return ntimeHex;
    }
}
