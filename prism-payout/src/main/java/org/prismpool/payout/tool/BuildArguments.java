package org.prismpool.payout.tool;

import java.util.List;
import java.util.Optional;

/**
 * Arguments of a bundle build.
 *
 * @param signingKey seed of the coinbase manifest's key
 * @param ledgerSigningKey seed of the ledger attestation's key
 * @param input file of the build input; absent or {@code -} for standard input
 * @param canonicalOutput write the exact canonical bytes
 * @param jobSummaryOutput write the job summary
 * @param phaseMetrics write one line of timings to standard error
 * @param serve answer requests line by line
 * @param help print the usage and do nothing
 */
record BuildArguments(
        SeedArgument signingKey,
        SeedArgument ledgerSigningKey,
        Optional<String> input,
        boolean canonicalOutput,
        boolean jobSummaryOutput,
        boolean phaseMetrics,
        boolean serve,
        boolean help) {

    static BuildArguments parse(List<String> arguments) {
        SeedArgument signing = SeedArgument.NONE;
        SeedArgument ledger = SeedArgument.NONE;
        Optional<String> input = Optional.empty();
        boolean[] flags = new boolean[4];
        ArgumentCursor cursor = new ArgumentCursor(arguments);
        while (cursor.hasNext()) {
            String argument = cursor.next();
            switch (argument) {
                case "--signing-key-seed-hex" -> signing = signing.withHex(cursor.value());
                case "--ledger-signing-key-seed-hex" -> ledger = ledger.withHex(cursor.value());
                case "--signing-key-file" -> signing = signing.withFile(cursor.value());
                case "--ledger-signing-key-file" -> ledger = ledger.withFile(cursor.value());
                case "--input" -> input = cursor.value();
                case "--canonical-output" -> flags[0] = true;
                case "--job-summary-output" -> flags[1] = true;
                case "--phase-metrics" -> flags[2] = true;
                case "--serve" -> flags[3] = true;
                case "-h", "--help" -> {
                    return new BuildArguments(signing, ledger, input, flags[0], flags[1], flags[2], flags[3], true);
                }
                default -> throw ArgumentCursor.unexpected(argument);
            }
        }
        return new BuildArguments(signing, ledger, input, flags[0], flags[1], flags[2], flags[3], false);
    }

    /** Checks the arguments before anything is read; the seeds themselves come next. */
    void check() {
        if (canonicalOutput && jobSummaryOutput) {
            throw new ToolFailure("--canonical-output and --job-summary-output are mutually exclusive");
        }
        if (!signingKey.isGiven()) {
            throw new ToolFailure("--signing-key-seed-hex is required");
        }
        if (!ledgerSigningKey.isGiven()) {
            throw new ToolFailure("--ledger-signing-key-seed-hex is required");
        }
    }

    /** Checks what else was given with {@code --serve}, once the seeds are known to be good. */
    void checkServe() {
        if (input.isPresent() || canonicalOutput || jobSummaryOutput || phaseMetrics) {
            throw new ToolFailure("--serve accepts only the signing key arguments");
        }
    }
}
