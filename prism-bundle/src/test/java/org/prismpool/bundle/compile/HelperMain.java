package org.prismpool.bundle.compile;

import java.io.IOException;
import java.util.List;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.signing.SigningSeed;

/** A helper program for tests that takes the contract's options and builds with this project's own code. */
final class HelperMain {

    private HelperMain() {}

    public static void main(String[] args) throws IOException {
        List<String> options = List.of(args);
        SigningSeed manifest = SigningSeed.ofHex(options.get(options.indexOf("--signing-key-seed-hex") + 1));
        SigningSeed ledger = SigningSeed.ofHex(options.get(options.indexOf("--ledger-signing-key-seed-hex") + 1));
        AuditBuildInput input =
                AuditBuildInput.read(ExactReader.of(System.in), options.contains("--job-summary-output"));
        System.out.write(
                new AuditBundleBuilder(manifest, ledger).summarize(input).canonicalBytes());
        System.out.flush();
        System.err.println("qbit-prism-build-phase-metrics {\"phases_seconds\":{\"signing_verification\":0.25}}");
        System.err.println("qbit-prism-build-phase-metrics not json");
    }
}
