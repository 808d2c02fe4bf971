package org.prismpool.config;

import java.util.HashMap;
import java.util.Map;

/** Baseline environments of spec 01 §9 and small edits of them. */
final class Baselines {

    private Baselines() {}

    static Map<String, String> lab() {
        return with(
                Map.of(),
                "QBIT_RPC_HOST=q",
                "QBIT_RPC_USER=u",
                "QBIT_RPC_PASSWORD=p",
                "PRISM_ALLOW_MEMORY_LEDGER=1",
                "PRISM_ALLOW_TEST_SIGNING_SEEDS=1",
                "PRISM_ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY=1");
    }

    static Map<String, String> production() {
        return with(
                Map.of(),
                "QBIT_PRODUCTION=1",
                "QBIT_CHAIN=signet",
                "QBIT_RPC_HOST=q",
                "QBIT_RPC_USER=u",
                "QBIT_RPC_PASSWORD=strong",
                "PRISM_DATABASE_URL=postgresql://h/d",
                "PRISM_MANIFEST_SIGNING_SEED_HEX=" + "a1".repeat(32),
                "PRISM_LEDGER_ATTESTATION_SIGNING_SEED_HEX=" + "b2".repeat(32),
                "PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX=55154f42065ea5a1bea05463826be2684eb92df92c100027aabaae57ca554207",
                "PRISM_LEDGER_WRITER_ID=w",
                "PRISM_LEDGER_WRITER_EPOCH=1",
                "PRISM_AUDIT_DIR=/a",
                "PRISM_EVIDENCE_PATH=/a/e.json",
                "PRISM_STRATUM_SHARE_DIFF=1024",
                "PRISM_STRATUM_VARDIFF_MIN_DIFF=1024",
                "PRISM_STRATUM_VARDIFF_START_DIFF=4096",
                "PRISM_STRATUM_VARDIFF_MAX_DIFF=65536");
    }

    static Map<String, String> with(Map<String, String> base, String... settings) {
        Map<String, String> copy = new HashMap<>(base);
        for (String setting : settings) {
            String[] sides = setting.split("=", 2);
            copy.put(sides[0], sides[1]);
        }
        return copy;
    }

    static Map<String, String> without(Map<String, String> base, String name) {
        Map<String, String> copy = new HashMap<>(base);
        copy.remove(name);
        return copy;
    }

    static ConfigReport load(Map<String, String> environment) {
        return PrismConfiguration.loader().load(environment);
    }
}
