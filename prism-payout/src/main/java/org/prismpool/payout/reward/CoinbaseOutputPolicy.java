package org.prismpool.payout.reward;

import org.prismpool.payout.json.ExactReader;

/** The order of payout outputs in the coinbase. */
public enum CoinbaseOutputPolicy {
    /** Every output in account order. */
    CANONICAL("canonical"),
    /** The pool fee first if it is positive, the others in account order after it. */
    POOL_FEE_FIRST("pool-fee-first");

    private final String text;

    CoinbaseOutputPolicy(String text) {
        this.text = text;
    }

    /**
     * Returns the text in documents and configuration.
     *
     * @return the text
     */
    public String text() {
        return text;
    }

    /**
     * Reads a policy.
     *
     * @param in the reader
     * @return the policy
     * @throws org.prismpool.payout.json.JsonException for another text
     */
    public static CoinbaseOutputPolicy read(ExactReader in) {
        String text = in.text();
        for (CoinbaseOutputPolicy policy : values()) {
            if (policy.text.equals(text)) {
                return policy;
            }
        }
        throw in.error("unknown coinbase_output_policy, expected `canonical` or `pool-fee-first`");
    }
}
