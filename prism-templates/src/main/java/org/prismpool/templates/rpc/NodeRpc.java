package org.prismpool.templates.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

/**
 * The node as the mining side uses it: templates, the tip, blocks and addresses.
 *
 * <p>Thread-safe. Every method blocks until the answer is complete, at most until the earlier of its deadline and the
 * client's own limit for the method, and throws {@link RpcException} when there is no result. Reads may be sent twice
 * after a broken connection; {@link #submitBlock} is sent at most once.
 */
public interface NodeRpc {

    /**
     * Returns the same node with calls that end early when a signal is raised, as {@link RpcFailure.Cancelled}.
     *
     * @param cancel signal of the caller
     * @return a view on this node
     */
    NodeRpc cancelledBy(CancelSignal cancel);

    /**
     * Fetches a template.
     *
     * @param rules rules that the caller understands
     * @param deadline latest end
     * @return the template as the node sent it, a JSON object
     */
    JsonNode getBlockTemplate(List<String> rules, Deadline deadline);

    /**
     * Returns the tip.
     *
     * @param deadline latest end
     * @return hash of the best block
     */
    Hash256 getBestBlockHash(Deadline deadline);

    /**
     * Waits for a tip other than a known one; returns at once if the node's tip already differs.
     *
     * @param wait how long the node waits
     * @param known tip that the caller knows
     * @param deadline latest end, later than the wait
     * @return the tip after the wait, possibly the known one; empty if the answer carries no hash
     */
    Optional<Hash256> waitForNewBlock(Duration wait, Hash256 known, Deadline deadline);

    /**
     * Returns the height of the tip.
     *
     * @param deadline latest end
     * @return zero or more
     */
    long getBlockCount(Deadline deadline);

    /**
     * Returns the block of the active chain at a height.
     *
     * @param height zero or more
     * @param deadline latest end
     * @return its hash; {@link RpcException} with code -8 above the tip
     */
    Hash256 getBlockHash(long height, Deadline deadline);

    /**
     * Returns where a block stands.
     *
     * @param hash block hash
     * @param deadline latest end
     * @return its place, or empty if the node does not know the block
     */
    Optional<BlockPlace> getBlockHeader(Hash256 hash, Deadline deadline);

    /**
     * Returns the parent of a block.
     *
     * @param hash block hash
     * @param deadline latest end
     * @return parent, or empty if the answer has none
     */
    Optional<Hash256> getBlockParent(Hash256 hash, Deadline deadline);

    /**
     * Returns the state of the node's chain.
     *
     * @param deadline latest end
     * @return chain name, progress and tip
     */
    ChainInfo getBlockchainInfo(Deadline deadline);

    /**
     * Returns the same for showing it, never for a decision: a height that is no integer counts as absent, where
     * {@link #getBlockchainInfo} fails. Source: spec 08 §7.7.
     *
     * @param deadline latest end
     * @return chain name, progress and tip
     */
    default ChainInfo getShownBlockchainInfo(Deadline deadline) {
        return getBlockchainInfo(deadline);
    }

    /**
     * Returns the number of peers.
     *
     * @param deadline latest end
     * @return connections
     */
    long getConnections(Deadline deadline);

    /**
     * Returns the node's fee floors.
     *
     * @param deadline latest end
     * @return floors in coins per 1000 bytes
     */
    FeeFloors getFeeFloors(Deadline deadline);

    /**
     * Returns the node's estimate of the market fee rate.
     *
     * @param targetBlocks confirmation target, 1 or more
     * @param deadline latest end
     * @return estimate or the node's reasons for having none
     */
    FeeEstimate estimateSmartFee(int targetBlocks, Deadline deadline);

    /**
     * Asks the node about an address.
     *
     * @param address text from a user
     * @param deadline latest end
     * @return output script in lower-case hex, or empty if the node calls the address invalid
     */
    Optional<String> validateAddress(String address, Deadline deadline);

    /**
     * Offers a block; sent at most once.
     *
     * @param blockHex serialized block
     * @param deadline latest end; nothing is sent after it
     * @return empty for acceptance, otherwise the node's answer
     */
    Optional<String> submitBlock(String blockHex, Deadline deadline);
}
