package org.prismpool.payout.window;

import org.prismpool.payout.json.Name;

/** A member of a published or a counted share (payout specification 8.2 and 8.6). */
enum ShareField {
    SHARE_SEQ("share_seq", Type.UNSIGNED),
    SHARE_ID("share_id", Type.TEXT),
    MINER_ID("miner_id", Type.SHARED_TEXT),
    ORDER_KEY("order_key", Type.SHARED_TEXT),
    PROGRAM("p2mr_program_hex", Type.SHARED_TEXT),
    SHARE_DIFFICULTY("share_difficulty", Type.WIDE),
    COUNTED_DIFFICULTY("counted_difficulty", Type.WIDE),
    NETWORK_DIFFICULTY("network_difficulty", Type.WIDE),
    TEMPLATE_HEIGHT("template_height", Type.UNSIGNED),
    JOB_ID("job_id", Type.SHARED_TEXT),
    JOB_ISSUED_AT_MS("job_issued_at_ms", Type.SIGNED),
    ACCEPTED_AT_MS("accepted_at_ms", Type.SIGNED),
    NTIME("ntime", Type.UNSIGNED),
    CREDIT_POLICY("credit_policy", Type.SHARED_TEXT);

    /** How the value is read: integers of 64 and of 128 bits, texts of one share and texts that many shares have. */
    enum Type {
        UNSIGNED,
        SIGNED,
        WIDE,
        TEXT,
        SHARED_TEXT
    }

    @SuppressWarnings("ImmutableEnumChecker") // a name never changes
    final Name json;

    final Type type;

    ShareField(String name, Type type) {
        this.json = Name.of(name);
        this.type = type;
    }
}
