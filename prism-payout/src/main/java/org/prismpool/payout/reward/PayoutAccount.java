package org.prismpool.payout.reward;

import java.math.BigInteger;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.PayoutIdentity;

/**
 * One recipient's account in one block (payout specification 8.7): prior + gross = on-chain + carry.
 *
 * @param type miner or pool
 * @param identity the recipient
 * @param grossAmountSats share of this block's reward, unsigned 64 bits
 * @param priorBalanceSats owed before, signed 128 bits
 * @param candidateBalanceSats prior + gross, signed 128 bits
 * @param onchainAmountSats paid by this block, before a fanout fee, unsigned 64 bits
 * @param settlementFeeSats fanout fee taken from the payment, unsigned 64 bits; disclosure only
 * @param carryForwardBalanceSats still owed after, signed 128 bits
 * @param action paid or accrued
 */
public record PayoutAccount(
        AccountType type,
        PayoutIdentity identity,
        long grossAmountSats,
        BigInteger priorBalanceSats,
        BigInteger candidateBalanceSats,
        long onchainAmountSats,
        long settlementFeeSats,
        BigInteger carryForwardBalanceSats,
        PayoutAction action) {

    private static final Name ACCOUNT_TYPE = Name.of("account_type");
    private static final Name RECIPIENT_ID = Name.of("recipient_id");
    private static final Name ORDER_KEY = Name.of("order_key");
    private static final Name PROGRAM = Name.of("p2mr_program_hex");
    private static final Name GROSS = Name.of("gross_amount_sats");
    private static final Name PRIOR = Name.of("prior_balance_sats");
    private static final Name CANDIDATE = Name.of("candidate_balance_sats");
    private static final Name ONCHAIN = Name.of("onchain_amount_sats");
    private static final Name SETTLEMENT_FEE = Name.of("settlement_fee_sats");
    private static final Name CARRY = Name.of("carry_forward_balance_sats");
    private static final Name ACTION = Name.of("action");
    private static final ObjectShape SHAPE = ObjectShape.required(
                    ACCOUNT_TYPE,
                    RECIPIENT_ID,
                    ORDER_KEY,
                    PROGRAM,
                    GROSS,
                    PRIOR,
                    CANDIDATE,
                    ONCHAIN,
                    SETTLEMENT_FEE,
                    CARRY,
                    ACTION)
            .except(ACCOUNT_TYPE, SETTLEMENT_FEE);

    /** Whose account it is. */
    public enum AccountType {
        /** A miner. */
        MINER("miner"),
        /** The pool itself. */
        POOL_FEE("pool_fee");

        private final String text;

        AccountType(String text) {
            this.text = text;
        }

        /**
         * Returns the text in documents.
         *
         * @return the text
         */
        public String text() {
            return text;
        }

        static AccountType read(ExactReader in) {
            String text = in.text();
            if (text.equals(MINER.text)) {
                return MINER;
            }
            if (text.equals(POOL_FEE.text)) {
                return POOL_FEE;
            }
            throw in.error("unknown account_type, expected `miner` or `pool_fee`");
        }
    }

    /** What this block does with the account. */
    public enum PayoutAction {
        /** Something is paid. */
        ONCHAIN("onchain"),
        /** Everything is carried forward. */
        ACCRUED("accrued");

        private final String text;

        PayoutAction(String text) {
            this.text = text;
        }

        /**
         * Returns the text in documents.
         *
         * @return the text
         */
        public String text() {
            return text;
        }

        static PayoutAction read(ExactReader in) {
            String text = in.text();
            if (text.equals(ONCHAIN.text)) {
                return ONCHAIN;
            }
            if (text.equals(ACCRUED.text)) {
                return ACCRUED;
            }
            throw in.error("unknown action, expected `onchain` or `accrued`");
        }
    }

    static PayoutAccount accrued(PayoutIdentity identity, long grossSats, BigInteger prior) {
        BigInteger gross = U128.ofUnsigned(grossSats).toBigInteger();
        BigInteger candidate = PolicyErrors.checked(prior.add(gross));
        return new PayoutAccount(
                AccountType.MINER, identity, grossSats, prior, candidate, 0, 0, candidate, PayoutAction.ACCRUED);
    }

    PayoutAccount paid(long onchainSats) {
        BigInteger carry =
                candidateBalanceSats.subtract(U128.ofUnsigned(onchainSats).toBigInteger());
        return new PayoutAccount(
                type,
                identity,
                grossAmountSats,
                priorBalanceSats,
                candidateBalanceSats,
                onchainSats,
                settlementFeeSats,
                carry,
                PayoutAction.ONCHAIN);
    }

    /**
     * Returns the account with a fanout fee disclosed.
     *
     * @param feeSats the fee, unsigned 64 bits
     * @return the account; no other member changes
     */
    public PayoutAccount withSettlementFee(long feeSats) {
        return new PayoutAccount(
                type,
                identity,
                grossAmountSats,
                priorBalanceSats,
                candidateBalanceSats,
                onchainAmountSats,
                feeSats,
                carryForwardBalanceSats,
                action);
    }

    /**
     * Writes the account as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        writeMembers(out);
        out.endObject();
    }

    /**
     * Writes the members of the account into the open object.
     *
     * @param out the writer
     */
    void writeMembers(CanonicalWriter out) {
        if (type != AccountType.MINER) {
            out.member(ACCOUNT_TYPE, type.text());
        }
        identity.writeRecipient(out);
        out.member(GROSS, grossAmountSats);
        out.member(PRIOR, priorBalanceSats);
        out.member(CANDIDATE, candidateBalanceSats);
        out.member(ONCHAIN, onchainAmountSats);
        if (settlementFeeSats != 0) {
            out.member(SETTLEMENT_FEE, settlementFeeSats);
        }
        out.member(CARRY, carryForwardBalanceSats);
        out.member(ACTION, action.text());
    }

    /**
     * Reads an account.
     *
     * @param in the reader
     * @return the account
     */
    public static PayoutAccount read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        AccountType type = AccountType.MINER;
        String recipientId = "";
        String orderKey = "";
        String program = "";
        long gross = 0;
        BigInteger prior = BigInteger.ZERO;
        BigInteger candidate = BigInteger.ZERO;
        long onchain = 0;
        long fee = 0;
        BigInteger carry = BigInteger.ZERO;
        PayoutAction action = PayoutAction.ACCRUED;
        while (member.next()) {
            switch (member.name()) {
                case "account_type" -> type = AccountType.read(in);
                case "recipient_id" -> recipientId = in.text();
                case "order_key" -> orderKey = in.text();
                case "p2mr_program_hex" -> program = in.text();
                case "gross_amount_sats" -> gross = in.unsigned64();
                case "prior_balance_sats" -> prior = in.signed128();
                case "candidate_balance_sats" -> candidate = in.signed128();
                case "onchain_amount_sats" -> onchain = in.unsigned64();
                case "settlement_fee_sats" -> fee = in.unsigned64();
                case "carry_forward_balance_sats" -> carry = in.signed128();
                default -> action = PayoutAction.read(in);
            }
        }
        return new PayoutAccount(
                type,
                new PayoutIdentity(recipientId, orderKey, program),
                gross,
                prior,
                candidate,
                onchain,
                fee,
                carry,
                action);
    }
}
