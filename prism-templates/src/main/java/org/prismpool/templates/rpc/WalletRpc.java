package org.prismpool.templates.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

/**
 * The node as settlement uses it: mempool, spenders, the funding wallet and broadcasting.
 *
 * <p>Same rules as {@link NodeRpc}. {@link #getNewAddress}, {@link #sign}, {@link #submitPackage} and {@link
 * #sendRawTransaction} change something and are sent at most once; the caller verifies its writer lease before each.
 */
public interface WalletRpc {

    /**
     * Returns the confirmations of a transaction.
     *
     * @param txid transaction id
     * @param deadline latest end
     * @return confirmations, zero in the mempool; empty if the node does not find it
     */
    OptionalLong getConfirmations(Hash256 txid, Deadline deadline);

    /**
     * Returns the ids of the mempool.
     *
     * @param deadline latest end
     * @return ids in no particular order
     */
    List<Hash256> getRawMempool(Deadline deadline);

    /**
     * Tells whether an output is unspent on the active chain, mempool left out.
     *
     * @param txid transaction id
     * @param index output index
     * @param deadline latest end
     * @return true if unspent
     */
    boolean isUnspent(Hash256 txid, long index, Deadline deadline);

    /**
     * Returns a block with its transactions decoded.
     *
     * @param hash block hash
     * @param deadline latest end
     * @return the node's JSON, or empty if it does not know the block
     */
    Optional<JsonNode> getBlockWithTransactions(Hash256 hash, Deadline deadline);

    /**
     * Returns the coinbase's block as the node describes it.
     *
     * @param hash block hash
     * @param deadline latest end
     * @return confirmations, not positive off the active chain; empty if the node does not know the block
     */
    OptionalLong getBlockConfirmations(Hash256 hash, Deadline deadline);

    /**
     * Returns the spendable outputs of a wallet.
     *
     * @param wallet wallet name
     * @param deadline latest end
     * @return outputs that the wallet can sign for
     */
    List<WalletOutput> listUnspent(String wallet, Deadline deadline);

    /**
     * Makes a P2MR address in a wallet.
     *
     * @param wallet wallet name
     * @param deadline latest end
     * @return the address
     */
    String getNewAddress(String wallet, Deadline deadline);

    /**
     * Returns the output script of a wallet's address.
     *
     * @param wallet wallet name
     * @param address address of the wallet
     * @param deadline latest end
     * @return lower-case hex
     */
    String getAddressScript(String wallet, String address, Deadline deadline);

    /**
     * Signs a transaction with a wallet.
     *
     * @param wallet wallet name
     * @param transactionHex unsigned transaction
     * @param previousOutputs outputs that the wallet does not know
     * @param deadline latest end
     * @return the transaction and whether it is complete
     */
    SignedTransaction sign(
            String wallet, String transactionHex, List<PreviousOutput> previousOutputs, Deadline deadline);

    /**
     * Broadcasts a parent with a child that pays for both, without a limit of the fee rate.
     *
     * @param parentHex parent
     * @param childHex child
     * @param deadline latest end
     * @return the node's JSON with {@code package_msg} and {@code tx-results}
     */
    JsonNode submitPackage(String parentHex, String childHex, Deadline deadline);

    /**
     * Broadcasts one transaction.
     *
     * @param transactionHex transaction
     * @param deadline latest end
     * @return the id under which the node knows it
     */
    Hash256 sendRawTransaction(String transactionHex, Deadline deadline);

    /**
     * A spendable output of a wallet.
     *
     * @param txid transaction id
     * @param index output index
     * @param amount coins
     */
    record WalletOutput(Hash256 txid, long index, BigDecimal amount) {}

    /**
     * An output that the wallet is told about for signing.
     *
     * @param txid transaction id
     * @param index output index
     * @param scriptHex output script
     * @param amount coins
     */
    record PreviousOutput(Hash256 txid, long index, String scriptHex, BigDecimal amount) {}

    /**
     * A transaction after signing.
     *
     * @param hex transaction
     * @param complete whether every input is signed
     */
    record SignedTransaction(String hex, boolean complete) {}
}
