package org.prismpool.payout.window;

/**
 * Input that a rule of the payout refuses: an impossible window, policy, settlement, coinbase or bundle.
 *
 * <p>The message is contract text (payout specification, sections 3 to 14): one line, fit to show as it is.
 */
public class PayoutRuleException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message the contract text
     */
    public PayoutRuleException(String message) {
        super(message);
    }

    /**
     * Returns the contract text.
     *
     * @return one line
     */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
