package org.prismpool.config.variable;

import static org.prismpool.config.variable.NumberParsers.int32;
import static org.prismpool.config.variable.TextParsers.path;
import static org.prismpool.config.variable.TextParsers.text;
import static org.prismpool.config.variable.Variable.named;

import java.util.List;
import java.util.Optional;

/** Variables of the area "Audit artifacts and HTTP", in documented order. Source: spec 01 §1. */
public final class HttpVariables {

    /** Live evidence file. */
    public static final Variable<String> EVIDENCE_PATH = named("PRISM_EVIDENCE_PATH", path())
            .byDefault("prism-live-evidence.json")
            .packaged("/var/lib/qbit-prism/audit/prism-live-evidence.json")
            .owner("payout (audit)")
            .doc("Live evidence file. Production: required.");

    /** Directory of audit bundles and bodies. */
    public static final Variable<String> AUDIT_DIR = named("PRISM_AUDIT_DIR", path())
            .derived(
                    "parent directory of PRISM_EVIDENCE_PATH",
                    e -> Optional.of(Paths.parent(e.get(EVIDENCE_PATH))),
                    EVIDENCE_PATH)
            .packaged("/var/lib/qbit-prism/audit")
            .owner("payout (audit)")
            .doc("Directory of audit bundles and bodies. Production: required.");

    /** Shares per immutable segment file. */
    public static final Variable<Integer> AUDIT_SHARE_SEGMENT_SIZE = named(
                    "PRISM_AUDIT_SHARE_SEGMENT_SIZE", int32(0, Integer.MAX_VALUE, ""))
            .byDefault("10000")
            .owner("payout (audit)")
            .doc("Shares per immutable segment file.");

    /** Live bundles kept on disk. */
    public static final Variable<Integer> AUDIT_LIVE_BUNDLE_RETENTION = named(
                    "PRISM_AUDIT_LIVE_BUNDLE_RETENTION", int32(0, Integer.MAX_VALUE, ""))
            .byDefault("5")
            .owner("payout (audit)")
            .doc("Live bundles kept on disk; 0 keeps only pinned ones.");

    /** Age limit of candidate bundle files. */
    public static final Variable<Integer> AUDIT_CANDIDATE_RETENTION_SECONDS = named(
                    "PRISM_AUDIT_CANDIDATE_RETENTION_SECONDS", int32(0, Integer.MAX_VALUE, "seconds"))
            .byDefault("86400")
            .owner("payout (audit)")
            .doc("Age limit of candidate bundle files.");

    /** Bind of the private HTTP server (/healthz, /metrics, audit, /public/v1). */
    public static final Variable<String> AUDIT_BIND = named("PRISM_AUDIT_BIND", text())
            .emptyIsValue()
            .packaged("127.0.0.1")
            .owner("app (HTTP)")
            .doc("Bind of the private HTTP server (/healthz, /metrics, audit, /public/v1).");

    /** Port of that server. */
    public static final Variable<Integer> AUDIT_PORT = named("PRISM_AUDIT_PORT", int32(0, 65535, "port"))
            .byDefault("0")
            .emptyIsUnset()
            .packaged("3341")
            .owner("app (HTTP)")
            .doc("Port of that server; both bind and port must be set.");

    private HttpVariables() {}

    /**
     * Returns the group for the registry.
     *
     * @return the variables in documented order
     */
    public static VariableRegistry.Group group() {
        return new VariableRegistry.Group(
                "Audit artifacts and HTTP",
                List.of(
                        EVIDENCE_PATH,
                        AUDIT_DIR,
                        AUDIT_SHARE_SEGMENT_SIZE,
                        AUDIT_LIVE_BUNDLE_RETENTION,
                        AUDIT_CANDIDATE_RETENTION_SECONDS,
                        AUDIT_BIND,
                        AUDIT_PORT));
    }
}
