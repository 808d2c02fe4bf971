package org.prismpool.payout.ctv;

import org.prismpool.payout.json.ExactReader;

/** How a block's recipients are paid. */
public enum SettlementMode {
    /** All in the coinbase. */
    DIRECT_COINBASE("direct_coinbase"),
    /** All by fanouts. */
    CTV_FANOUT("ctv_fanout"),
    /** Some in the coinbase, the others by fanouts. */
    HYBRID_COINBASE_CTV_FANOUT("hybrid_coinbase_ctv_fanout");

    private final String text;

    SettlementMode(String text) {
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

    /**
     * Reads a mode.
     *
     * @param in the reader
     * @return the mode
     * @throws org.prismpool.payout.json.JsonException for another text
     */
    public static SettlementMode read(ExactReader in) {
        String text = in.text();
        for (SettlementMode mode : values()) {
            if (mode.text.equals(text)) {
                return mode;
            }
        }
        throw in.error("unknown settlement mode");
    }
}
