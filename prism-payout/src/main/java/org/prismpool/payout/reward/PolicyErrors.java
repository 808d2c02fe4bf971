package org.prismpool.payout.reward;

import java.math.BigInteger;
import org.prismpool.payout.window.PayoutRuleException;

/** Contract texts of the payout policy that more than one place reports. */
final class PolicyErrors {

    private PolicyErrors() {}

    static PayoutRuleException overflow() {
        return new PayoutRuleException("payout policy arithmetic overflowed");
    }

    static PayoutRuleException noRecipient() {
        return new PayoutRuleException("no on-chain payout recipient remains after applying minimum output floor");
    }

    static PayoutRuleException wouldExceed(String coinbaseValue, BigInteger candidates) {
        return new PayoutRuleException("on-chain payouts would exceed selected candidate balances: coinbase value "
                + coinbaseValue + " > selected candidate balance " + candidates);
    }

    /** Returns a signed 128-bit value or reports the overflow. */
    static BigInteger checked(BigInteger value) {
        if (value.bitLength() > 127) {
            throw overflow();
        }
        return value;
    }
}
