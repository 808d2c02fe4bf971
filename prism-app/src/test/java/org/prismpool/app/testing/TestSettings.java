package org.prismpool.app.testing;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Environments that tests start from; each answer is a map of its own, to be changed at will. */
public final class TestSettings {

    /** Of the development node of a test. */
    public static final String RPC_USER = "prism";

    public static final String RPC_PASSWORD = "secret";

    /** What the public process tells miners to connect to. */
    public static final String PUBLIC_STRATUM_URL = "stratum+tcp://pool.example:3340";

    private TestSettings() {}

    /**
     * A laboratory pool: no database, seeds of the program's own.
     *
     * @param rpcPort port of the node on loopback; 1 where nobody answers
     */
    public static Map<String, String> memory(int rpcPort) {
        Map<String, String> settings = node(rpcPort);
        settings.put("PRISM_ALLOW_MEMORY_LEDGER", "1");
        settings.put("PRISM_ALLOW_TEST_SIGNING_SEEDS", "1");
        settings.put("PRISM_ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY", "1");
        return settings;
    }

    /**
     * A pool on PostgreSQL that mines on without end, with one miner and a fixed difficulty.
     *
     * @param rpcPort port of the node on loopback
     * @param dsn database, empty or of an earlier run
     * @param folder where it keeps its audit files
     */
    public static Map<String, String> postgres(int rpcPort, String dsn, Path folder) {
        Map<String, String> settings = node(rpcPort);
        settings.put("PRISM_DATABASE_URL", dsn);
        settings.put("PRISM_POSTGRES_INIT_SCHEMA", "1");
        settings.put("PRISM_MANIFEST_SIGNING_SEED_HEX", "a1".repeat(32));
        settings.put("PRISM_LEDGER_ATTESTATION_SIGNING_SEED_HEX", "b2".repeat(32));
        settings.put(
                "PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX",
                "55154f42065ea5a1bea05463826be2684eb92df92c100027aabaae57ca554207");
        settings.put("PRISM_STRATUM_VARDIFF", "0");
        return endless(settings, folder);
    }

    /**
     * Adds to settings what a pool needs to mine on without end with one miner.
     *
     * @param settings changed and returned
     * @param folder where it keeps its audit files
     */
    public static Map<String, String> endless(Map<String, String> settings, Path folder) {
        settings.put("PRISM_AUDIT_DIR", folder.resolve("audit").toString());
        settings.put(
                "PRISM_EVIDENCE_PATH", folder.resolve("audit/evidence.json").toString());
        settings.put("PRISM_MIN_READY_MINERS", "1");
        settings.put("PRISM_STOP_AFTER_BLOCK", "0");
        settings.put("PRISM_MAX_BLOCKS", "2147483647");
        return settings;
    }

    /**
     * The public process, which reads what a pool has written.
     *
     * @param rpcPort port of the node on loopback
     * @param dsn database of the pool
     * @param audit folder that the pool keeps its audit files in
     */
    public static Map<String, String> publicProcess(int rpcPort, String dsn, Path audit) {
        Map<String, String> settings = node(rpcPort);
        settings.put("PRISM_PUBLIC_DATABASE_URL", dsn);
        settings.put("PRISM_PUBLIC_STRATUM_URL", PUBLIC_STRATUM_URL);
        settings.put("PRISM_AUDIT_DIR", audit.toString());
        return settings;
    }

    private static Map<String, String> node(int rpcPort) {
        return new HashMap<>(Map.of(
                "QBIT_CHAIN",
                "regtest",
                "QBIT_RPC_HOST",
                "127.0.0.1",
                "QBIT_RPC_PORT",
                Integer.toString(rpcPort),
                "QBIT_RPC_USER",
                RPC_USER,
                "QBIT_RPC_PASSWORD",
                RPC_PASSWORD));
    }
}
