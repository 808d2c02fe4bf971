package org.prismpool.app.devnode.state;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.app.devnode.chain.BlockTree;
import org.prismpool.app.devnode.chain.ChainRules;
import org.prismpool.app.devnode.chain.CoinSet;
import org.prismpool.app.devnode.chain.DeclaredFees;
import org.prismpool.app.devnode.chain.IndexedBlock;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.app.devnode.mempool.Mempool;
import org.prismpool.app.devnode.validation.BlockChecks;
import org.prismpool.app.devnode.validation.ConnectChecks;
import org.prismpool.app.devnode.validation.ContextChecks;
import org.prismpool.app.devnode.validation.HeaderChecks;
import org.prismpool.app.devnode.validation.WitnessCommitment;
import org.prismpool.templates.chain.BlockHeader;
import org.prismpool.templates.chain.Hash256;

/**
 * The chain: accepts blocks in the node's order of checks and keeps the branch with the most work active. Not thread-safe:
 * every call is made under the lock of {@link NodeCore}.
 */
public final class Chainstate {

    private final ChainRules rules;
    private final NodeClock clock;
    private final ChainJournal journal;
    private final HeaderChecks headers;
    private final ConnectChecks connects;
    private final BlockTree tree;
    private final CoinSet coins = new CoinSet();
    private final DeclaredFees declared = new DeclaredFees();
    private final Mempool mempool = new Mempool();
    private final MempoolGate gate;
    private final Map<Hash256, CoinSet.Undo> undos = new HashMap<>();

    /**
     * Creates a chain that holds only the genesis block.
     *
     * @param rules the chain's parameters
     * @param clock judges block times
     * @param journal told about every change
     */
    public Chainstate(ChainRules rules, NodeClock clock, ChainJournal journal) {
        this.rules = rules;
        this.clock = clock;
        this.journal = journal;
        this.headers = new HeaderChecks(rules);
        this.connects = new ConnectChecks(rules, declared);
        RawBlock genesis = new RawBlock(
                rules.network().genesisHeader(), List.of(rules.network().genesisTransaction()));
        this.tree = new BlockTree(genesis);
        this.gate = new MempoolGate(this, declared, connects, journal);
    }

    /**
     * Returns the parameters.
     *
     * @return the rules
     */
    public ChainRules rules() {
        return rules;
    }

    /**
     * Returns the clock.
     *
     * @return the node's clock
     */
    public NodeClock clock() {
        return clock;
    }

    /**
     * Returns the block tree, to read.
     *
     * @return the tree
     */
    public BlockTree tree() {
        return tree;
    }

    /**
     * Returns the unspent outputs, to read.
     *
     * @return the coins
     */
    public CoinSet coins() {
        return coins;
    }

    /**
     * Returns the waiting transactions, to read.
     *
     * @return the mempool
     */
    public Mempool mempool() {
        return mempool;
    }

    /**
     * Returns the way into the mempool.
     *
     * @return the gate
     */
    public MempoolGate gate() {
        return gate;
    }

    /**
     * Takes a block.
     *
     * @param received a decoded block
     * @return the node's answer
     */
    public SubmitVerdict submit(RawBlock received) {
        return submit(received, clock.nowSeconds());
    }

    /** Takes a block that was stored before: only the clock does not judge it again. */
    SubmitVerdict restore(RawBlock stored) {
        return submit(stored, Integer.toUnsignedLong(-1));
    }

    private SubmitVerdict submit(RawBlock received, long nowSeconds) {
        Optional<IndexedBlock> parent = tree.find(received.header().parent());
        RawBlock block = parent.isPresent() ? WitnessCommitment.withReservedValue(received) : received;
        Optional<String> broken = headers.proofOfWork(block.header()).or(() -> BlockChecks.contextFree(block));
        if (broken.isPresent()) {
            return SubmitVerdict.of(broken.get());
        }
        Optional<String> refused = acceptHeader(block.header(), nowSeconds);
        if (refused.isPresent()) {
            return SubmitVerdict.of(refused.get());
        }
        IndexedBlock entry = tree.find(block.hash()).orElseThrow();
        if (entry.body().isPresent()) {
            return SubmitVerdict.of("duplicate");
        }
        Optional<ContextChecks.Fault> fault =
                ContextChecks.check(block, entry.parent().orElseThrow());
        if (fault.isPresent()) {
            if (fault.get().condemnsTheHash()) {
                tree.fail(entry);
            }
            return SubmitVerdict.of(fault.get().reason());
        }
        tree.storeBody(entry, block);
        journal.blockStored(block);
        Optional<String> failure = activateBest(entry);
        if (failure.isPresent()) {
            return SubmitVerdict.of(failure.get());
        }
        return tree.isActive(entry) ? SubmitVerdict.accepted() : SubmitVerdict.of("inconclusive");
    }

    /**
     * Takes a header alone.
     *
     * @param header a header
     * @return the broken rule, or empty when it is in the tree now
     */
    public Optional<String> submitHeader(BlockHeader header) {
        return headers.proofOfWork(header).or(() -> acceptHeader(header, clock.nowSeconds()));
    }

    /**
     * Judges a block proposal: everything but the proof of work, without storing anything.
     *
     * @param received a decoded block
     * @return the broken rule or the state of a known block; empty when the block would be valid on the tip
     */
    public Optional<String> propose(RawBlock received) {
        Optional<IndexedBlock> known = tree.find(received.hash());
        if (known.isPresent()) {
            String valid = known.get().body().isPresent() ? "duplicate" : "duplicate-inconclusive";
            return Optional.of(known.get().isFailed() ? "duplicate-invalid" : valid);
        }
        IndexedBlock tip = tree.tip();
        if (!received.header().parent().equals(tip.hash())) {
            return Optional.of("inconclusive-not-best-prevblk");
        }
        RawBlock block = WitnessCommitment.withReservedValue(received);
        return headers.againstParent(block.header(), tip, clock.nowSeconds())
                .or(() -> BlockChecks.contextFree(block))
                .or(() -> ContextChecks.check(block, tip).map(ContextChecks.Fault::reason))
                .or(() -> tryConnect(block, tip.height() + 1));
    }

    /**
     * Decides by hand about a block and makes the best branch active.
     *
     * @param decision what to do
     * @param block an entry of the tree; the genesis block can't be invalidated
     */
    public void decide(BlockDecision decision, IndexedBlock block) {
        switch (decision) {
            case INVALIDATE -> {
                if (block.height() == 0) {
                    throw new IllegalArgumentException("the genesis block stays valid");
                }
                leave(block);
                tree.fail(block);
            }
            case RECONSIDER -> tree.reconsider(block);
            case PREFER -> tree.prefer(block);
        }
        journal.decided(decision, block.hash());
        activateBest(block);
    }

    private Optional<String> acceptHeader(BlockHeader header, long nowSeconds) {
        Optional<IndexedBlock> known = tree.find(header.hash());
        if (known.isPresent()) {
            return known.get().isFailed() ? Optional.of("duplicate-invalid") : Optional.empty();
        }
        Optional<IndexedBlock> parent = tree.find(header.parent());
        if (parent.isEmpty()) {
            return Optional.of("prev-blk-not-found");
        }
        if (parent.get().isFailed()) {
            return Optional.of("bad-prevblk");
        }
        Optional<String> broken = headers.againstParent(header, parent.get(), nowSeconds);
        if (broken.isEmpty()) {
            tree.addHeader(header, parent.get());
        }
        return broken;
    }

    /** Moves the active chain to the best block; returns why the watched block failed, if it did. */
    private Optional<String> activateBest(IndexedBlock watched) {
        Optional<String> failure = Optional.empty();
        boolean moved = false;
        IndexedBlock best = tree.best();
        while (!best.equals(tree.tip())) {
            moved = true;
            IndexedBlock fork = tree.fork(best);
            while (!tree.tip().equals(fork)) {
                disconnectTip();
            }
            for (IndexedBlock next : tree.path(fork, best)) {
                Optional<String> broken = connect(next);
                if (broken.isPresent()) {
                    tree.fail(next);
                    failure = next.equals(watched) ? broken : failure;
                    break;
                }
            }
            best = tree.best();
        }
        if (moved) {
            gate.revalidate();
        }
        return failure;
    }

    private void leave(IndexedBlock block) {
        while (tree.isActive(block)) {
            disconnectTip();
        }
    }

    private Optional<String> connect(IndexedBlock entry) {
        RawBlock block = entry.body().orElseThrow();
        CoinSet.Undo undo = coins.begin();
        Optional<String> broken = connects.connect(block, entry.height(), coins, undo);
        if (broken.isPresent()) {
            coins.revert(undo);
            return broken;
        }
        undos.put(entry.hash(), undo);
        tree.pushActive(entry);
        mempool.removeConfirmed(block.transactions());
        return Optional.empty();
    }

    private Optional<String> tryConnect(RawBlock block, int height) {
        CoinSet.Undo undo = coins.begin();
        try {
            return connects.connect(block, height, coins, undo);
        } finally {
            coins.revert(undo);
        }
    }

    private void disconnectTip() {
        IndexedBlock tip = tree.tip();
        CoinSet.Undo undo = Optional.ofNullable(undos.remove(tip.hash())).orElseThrow();
        coins.revert(undo);
        tree.popActive();
        gate.returnToPool(tip.body().orElseThrow());
    }
}
