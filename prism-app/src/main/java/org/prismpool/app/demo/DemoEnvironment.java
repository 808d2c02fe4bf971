package org.prismpool.app.demo;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The environment of the demo's coordinator: what an operator would set for a small regtest pool. */
final class DemoEnvironment {

    private static final int READY_MINERS = 3;

    private DemoEnvironment() {}

    /**
     * Makes the environment.
     *
     * @param options what the demo is asked to do
     * @param identities its keys
     * @param rpcPort port of the development node
     * @param rpcPassword its password; the user is {@code prism}
     * @param databaseUrl DSN of the ledger, empty for one in memory
     * @param directory where audit files go
     * @return texts by variable name
     */
    static Map<String, String> of(
            DemoOptions options,
            DemoIdentities identities,
            int rpcPort,
            String rpcPassword,
            Optional<String> databaseUrl,
            Path directory) {
        Path audit = directory.resolve("audit");
        Map<String, String> e = new HashMap<>();
        e.put("QBIT_CHAIN", "regtest");
        e.put("QBIT_RPC_HOST", "127.0.0.1");
        e.put("QBIT_RPC_PORT", Integer.toString(rpcPort));
        e.put("QBIT_RPC_USER", "prism");
        e.put("QBIT_RPC_PASSWORD", rpcPassword);
        databaseUrl.ifPresentOrElse(
                url -> {
                    e.put("PRISM_DATABASE_URL", url);
                    e.put("PRISM_POSTGRES_INIT_SCHEMA", "1");
                },
                () -> e.put("PRISM_ALLOW_MEMORY_LEDGER", "1"));
        e.put("PRISM_LEDGER_WRITER_ID", "prism-demo");
        e.put("PRISM_LEDGER_WRITER_EPOCH", "1");
        e.put("PRISM_MANIFEST_SIGNING_SEED_HEX", identities.manifestSeedHex());
        e.put("PRISM_LEDGER_ATTESTATION_SIGNING_SEED_HEX", identities.ledgerSeedHex());
        e.put("PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX", identities.ledgerKey().publicKeyHex());
        e.put("PRISM_AUDIT_DIR", audit.toString());
        e.put("PRISM_EVIDENCE_PATH", audit.resolve("prism-live-evidence.json").toString());
        e.put("PRISM_AUDIT_BIND", "127.0.0.1");
        e.put("PRISM_MIN_READY_MINERS", Integer.toString(Math.max(1, Math.min(READY_MINERS, options.miners()))));
        e.put("PRISM_MAX_BLOCKS", "2147483647"); // the demo itself decides when to end
        e.put("PRISM_STOP_AFTER_BLOCK", "0");
        e.put("PRISM_PAYOUT_ARTIFACT_REANCHOR_SECONDS", "5"); // a demo is short; its payouts shall follow the shares
        e.put("PRISM_STRATUM_BIND", options.keep() ? "0.0.0.0" : "127.0.0.1");
        e.put("PRISM_PUBLIC_STRATUM_HOST", "127.0.0.1"); // what the page tells miners, also when it listens everywhere
        e.put("PRISM_PUBLIC_POOL_NAME", "PRISM demo");
        e.put("PRISM_STRATUM_SHARE_DIFF", "0.001");
        e.put("PRISM_STRATUM_VARDIFF_MIN_DIFF", "0.0001");
        e.put("PRISM_STRATUM_VARDIFF_START_DIFF", "0.0005");
        e.put("PRISM_STRATUM_VARDIFF_TARGET_SECONDS", "3");
        e.put("PRISM_STRATUM_VARDIFF_RETARGET_SECONDS", "15");
        return e;
    }
}
