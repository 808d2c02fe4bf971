package org.prismpool.app.devnode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.prismpool.app.devnode.chain.IndexedBlock;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.app.devnode.fault.ChainView;
import org.prismpool.app.devnode.fault.SubmitScript;
import org.prismpool.app.devnode.fault.TemplateTamper;
import org.prismpool.app.devnode.rpc.RpcContext;
import org.prismpool.app.devnode.state.BlockDecision;
import org.prismpool.app.devnode.state.SubmitVerdict;
import org.prismpool.app.devnode.state.TipView;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.chain.Transaction;

/** Steers a node from within the process, past its RPC surface and its faults. Thread-safe. */
public final class DevControl {

    private final RpcContext context;
    private final Network network;
    private final P2mrAddress fallback;

    DevControl(RpcContext context, Network network) {
        this.context = context;
        this.network = network;
        this.fallback = P2mrAddress.of(network, new byte[P2mrAddress.PROGRAM_SIZE]);
    }

    /**
     * Returns the network whose chain this is.
     *
     * @return the network
     */
    public Network network() {
        return network;
    }

    /**
     * Returns the tip.
     *
     * @return hash, height and mempool counter
     */
    public TipView tip() {
        return context.core().view();
    }

    /**
     * Returns the active block at a height.
     *
     * @param height 0 or more
     * @return its hash, or empty above the tip
     */
    public Optional<Hash256> activeAt(long height) {
        return context.core().locked(chain -> chain.tree().activeAt(height).map(IndexedBlock::hash));
    }

    /**
     * Returns a block.
     *
     * @param hash its hash
     * @return the block, or empty when its transactions are unknown
     */
    public Optional<RawBlock> block(Hash256 hash) {
        return context.core().locked(chain -> chain.tree().find(hash).flatMap(IndexedBlock::body));
    }

    /**
     * Tells whether a block is on the active chain.
     *
     * @param hash any hash
     * @return true if it is known and active
     */
    public boolean isActive(Hash256 hash) {
        return context.core()
                .locked(chain ->
                        chain.tree().find(hash).filter(chain.tree()::isActive).isPresent());
    }

    /**
     * Mines blocks on the tip that pay nobody's address. Solves on the calling thread.
     *
     * @param count how many
     * @return their hashes, lowest first
     */
    public List<Hash256> mine(int count) {
        return mine(count, fallback);
    }

    /**
     * Mines blocks on the tip, with the transactions of the mempool. Solves on the calling thread.
     *
     * @param count how many
     * @param address who is paid
     * @return their hashes, lowest first
     */
    public List<Hash256> mine(int count, P2mrAddress address) {
        List<Hash256> hashes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hashes.add(
                    context.blocks().mineOnTip(address.script(), Long.MAX_VALUE).orElseThrow());
        }
        return hashes;
    }

    /**
     * Mines a branch without transactions that starts at any block; it becomes active when it has the most work.
     *
     * @param parent block to build on
     * @param count how many blocks
     * @return their hashes, lowest first
     * @throws IllegalArgumentException when the parent is unknown
     * @throws IllegalStateException when the parent counts as failed
     */
    public List<Hash256> mineFork(Hash256 parent, int count) {
        List<Hash256> hashes = new ArrayList<>();
        Hash256 on = parent;
        for (int i = 0; i < count; i++) {
            on = context.blocks()
                    .mineOn(on, fallback.script(), Long.MAX_VALUE)
                    .orElseThrow(() -> new IllegalArgumentException("unknown parent"));
            hashes.add(on);
        }
        return hashes;
    }

    /**
     * Mines one block when the tip is older than 24 hours, which a pool would not trust.
     *
     * @return whether a block was mined
     */
    public boolean mineIfTipIsOld() {
        boolean old = context.core()
                .locked(chain ->
                        chain.tree().tip().header().time() < chain.clock().nowSeconds() - ChainView.OLD_TIP_SECONDS);
        if (old) {
            mine(1);
        }
        return old;
    }

    /**
     * Submits a block.
     *
     * @param block a decoded block
     * @return the node's verdict
     */
    public SubmitVerdict submit(RawBlock block) {
        return context.core().locked(chain -> chain.submit(block));
    }

    /**
     * Counts a block and everything after it as failed; the best other branch becomes active.
     *
     * @param hash a known block
     */
    public void invalidate(Hash256 hash) {
        decide(BlockDecision.INVALIDATE, hash);
    }

    /**
     * Forgets the failures of a block, of its ancestors and of its descendants.
     *
     * @param hash a known block
     */
    public void reconsider(Hash256 hash) {
        decide(BlockDecision.RECONSIDER, hash);
    }

    /**
     * Makes a block win against others of equal work.
     *
     * @param hash a known block
     */
    public void prefer(Hash256 hash) {
        decide(BlockDecision.PREFER, hash);
    }

    /**
     * Stops the node's clock.
     *
     * @param seconds seconds since 1970; 0 lets it run again
     */
    public void setTime(long seconds) {
        context.core().locked(chain -> {
            chain.clock().set(seconds);
            return chain;
        });
    }

    /**
     * Puts a transaction into the mempool that is valid by declaration, whatever it spends.
     *
     * @param transaction not a coinbase
     * @param feeSats fee that templates show, in base units
     */
    public void addTransaction(Transaction transaction, long feeSats) {
        context.core().locked(chain -> chain.gate().declare(transaction, feeSats));
    }

    /**
     * Takes a transaction out of the mempool.
     *
     * @param txid its id
     * @return false when it was not there
     */
    public boolean removeTransaction(Hash256 txid) {
        return context.core().locked(chain -> chain.mempool().remove(txid).isPresent());
    }

    /** Changes the next template although tip and transactions stay: it gets a new entry under {@code coinbaseaux}. */
    public void bumpMempool() {
        context.core().locked(chain -> {
            chain.mempool().bump();
            return chain;
        });
    }

    /**
     * Changes what the node says about itself.
     *
     * @param change from the present view to the next one
     */
    public void view(UnaryOperator<ChainView> change) {
        context.view().update(change);
    }

    /**
     * Returns the scripted answers of {@code submitblock}.
     *
     * @return the script, empty at the start
     */
    public SubmitScript submitScript() {
        return context.submitScript();
    }

    /**
     * Returns what changes templates on their way out.
     *
     * @return the tamper, without changes at the start
     */
    public TemplateTamper tamper() {
        return context.tamper();
    }

    /**
     * Returns how often {@code stop} was called; the owner of the node decides what to do about it.
     *
     * @return 0 or more
     */
    public long stopRequests() {
        return context.stopRequests().get();
    }

    private void decide(BlockDecision decision, Hash256 hash) {
        context.core().locked(chain -> {
            IndexedBlock block =
                    chain.tree().find(hash).orElseThrow(() -> new IllegalArgumentException("unknown block"));
            chain.decide(decision, block);
            return chain;
        });
    }
}
