package org.prismpool.app.devnode.mining;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.app.devnode.state.ChainJournal;
import org.prismpool.app.devnode.state.NodeCore;
import org.prismpool.app.devnode.state.SubmitVerdict;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;

/** Mines blocks for the node itself and hands out the wallet's addresses. Thread-safe; solving holds no lock. */
public final class BlockFactory {

    private final NodeCore core;
    private final ChainJournal journal;
    private final WalletAddresses addresses;
    private final AtomicLong extra;
    private long issued; // guarded by the core's lock

    /**
     * Creates a factory.
     *
     * @param core the chain
     * @param journal told about issued addresses
     * @param network decides the address prefix
     * @param issued number of addresses issued before
     */
    public BlockFactory(NodeCore core, ChainJournal journal, Network network, long issued) {
        this.core = core;
        this.journal = journal;
        this.addresses = new WalletAddresses(network);
        this.issued = issued;
        // Every block mined before is in the tree, so a start above its size repeats no coinbase of an earlier run.
        this.extra = new AtomicLong((long) core.locked(chain -> chain.tree().size()) << 32);
    }

    /**
     * Mines a block on the tip and submits it.
     *
     * @param script output script that is paid
     * @param maxTries largest number of hashes
     * @return its hash, or empty when no nonce was found
     * @throws IllegalStateException when the node refuses its own block
     */
    public Optional<Hash256> mineOnTip(byte[] script, long maxTries) {
        while (true) {
            TemplateSnapshot template = core.locked(TemplateSnapshot::of);
            Optional<RawBlock> block = OwnBlocks.mine(template, script, extra.incrementAndGet(), maxTries);
            if (block.isEmpty()) {
                return Optional.empty();
            }
            SubmitVerdict verdict = core.locked(chain -> chain.submit(block.get()));
            if (verdict.isAccepted()) {
                return Optional.of(block.get().hash());
            }
            // Somebody else was faster: the block lies beside the tip, and another one is wanted on top.
            requireStored(verdict);
        }
    }

    /**
     * Mines a block without transactions on any known block and submits it.
     *
     * @param parent hash of a block whose branch is complete
     * @param script output script that is paid
     * @param maxTries largest number of hashes
     * @return its hash, or empty when no nonce was found or the parent is unknown
     * @throws IllegalStateException when the node refuses its own block, as it does on an invalidated parent
     */
    public Optional<Hash256> mineOn(Hash256 parent, byte[] script, long maxTries) {
        Optional<TemplateSnapshot> template =
                core.locked(chain -> chain.tree().find(parent).map(entry -> TemplateSnapshot.emptyOn(chain, entry)));
        return template.flatMap(snapshot -> OwnBlocks.mine(snapshot, script, extra.incrementAndGet(), maxTries))
                .map(block -> {
                    requireStored(core.locked(chain -> chain.submit(block)));
                    return block.hash();
                });
    }

    /**
     * Submits a solved template of the caller's choice.
     *
     * @param template what to build on
     * @param script output script that is paid
     * @param maxTries largest number of hashes
     * @return the block and the node's verdict, or empty when no nonce was found
     */
    public Optional<Mined> mineTemplate(TemplateSnapshot template, byte[] script, long maxTries) {
        return OwnBlocks.mine(template, script, extra.incrementAndGet(), maxTries)
                .map(block -> new Mined(block, core.locked(chain -> chain.submit(block))));
    }

    /**
     * A block that was mined here.
     *
     * @param block the block
     * @param verdict the node's answer to it
     */
    public record Mined(RawBlock block, SubmitVerdict verdict) {}

    /**
     * Hands out the next address.
     *
     * @return an address that was never handed out before
     */
    public P2mrAddress nextAddress() {
        return core.locked(chain -> {
            P2mrAddress address = addresses.at(issued);
            issued++;
            journal.addressesIssued(issued);
            return address;
        });
    }

    /**
     * Tells whether the wallet handed out an address.
     *
     * @param address any address
     * @return true if it did
     */
    public boolean isOwn(P2mrAddress address) {
        return core.locked(chain -> addresses.isOwn(address.programHex(), issued));
    }

    private static void requireStored(SubmitVerdict verdict) {
        if (verdict.reason().filter(reason -> !reason.equals("inconclusive")).isPresent()) {
            throw new IllegalStateException(
                    "own block refused: " + verdict.reason().orElseThrow());
        }
    }
}
