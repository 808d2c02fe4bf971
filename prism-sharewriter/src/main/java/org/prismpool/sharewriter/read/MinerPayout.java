package org.prismpool.sharewriter.read;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Optional;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PayoutAction;

/**
 * How a miner was paid in a block, in base units.
 *
 * @param blockHeight height of the block
 * @param blockHash display hash of the block
 * @param createdAt creation of the row
 * @param coinbaseTxid id of the block's coinbase
 * @param onchainSats paid in the block, settlement fee included, 0 or more
 * @param carryForwardSats balance after it, may be negative
 * @param action how the account was settled
 * @param maturity maturity of the row, never reversed
 * @param covenantOutput output of a fanout transaction that pays an account settled on chain: the first, by chunk and
 *     output, with its recipient, order key and program; empty for one that the coinbase pays
 */
public record MinerPayout(
        long blockHeight,
        String blockHash,
        Instant createdAt,
        String coinbaseTxid,
        long onchainSats,
        BigInteger carryForwardSats,
        PayoutAction action,
        MaturityState maturity,
        Optional<CovenantOutput> covenantOutput) {

    /**
     * Output that a covenant commits to.
     *
     * @param fanoutTxid id of the fanout transaction
     * @param vout index of the output
     * @param amountSats committed value, fee already taken off
     */
    public record CovenantOutput(String fanoutTxid, int vout, long amountSats) {}
}
