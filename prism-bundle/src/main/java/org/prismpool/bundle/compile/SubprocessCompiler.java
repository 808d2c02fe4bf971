package org.prismpool.bundle.compile;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.JobSummary;
import org.prismpool.payout.json.JsonException;

/**
 * Compiles in a helper process with the command line of spec 04 §12 and the process rules of spec 07 §5.2.
 *
 * <p>Thread-safe: every compile has files and a process of its own. Unless the command takes key files, the seeds appear in
 * its arguments, which local users can see; prefer {@link InProcessCompiler} where that matters.
 */
public final class SubprocessCompiler implements BundleCompiler {

    private final SubprocessConfig config;
    private final HelperDirectory directory;
    private final HelperProcess helper;
    private final List<String> keyOptions;
    private final ConcurrentLinkedDeque<Long> running = new ConcurrentLinkedDeque<>();

    /**
     * The seeds that the helper signs with. Never printed.
     *
     * @param manifestSeed 32-byte seed of the coinbase manifest key
     * @param ledgerSeed 32-byte seed of the ledger attestation key
     */
    public record Seeds(byte[] manifestSeed, byte[] ledgerSeed) {

        /** Copies the seeds. */
        public Seeds {
            if (manifestSeed.length != 32 || ledgerSeed.length != 32) {
                throw new IllegalArgumentException("a signing seed has 32 bytes");
            }
            manifestSeed = manifestSeed.clone();
            ledgerSeed = ledgerSeed.clone();
        }

        /**
         * Reads both seeds.
         *
         * @param manifestHex 64 hex digits
         * @param ledgerHex 64 hex digits
         * @return the seeds
         * @throws IllegalArgumentException if one is not
         */
        public static Seeds ofHex(String manifestHex, String ledgerHex) {
            return new Seeds(
                    HexFormat.of().parseHex(manifestHex), HexFormat.of().parseHex(ledgerHex));
        }

        @Override
        public byte[] manifestSeed() {
            return manifestSeed.clone();
        }

        @Override
        public byte[] ledgerSeed() {
            return ledgerSeed.clone();
        }

        @Override
        public String toString() {
            return "Seeds[***]";
        }
    }

    /**
     * Creates a compiler and its private directory; sweep {@link HelperDirectory#sweep} first.
     *
     * @param config settings
     * @param seeds signing seeds
     * @param events counters and the active process id
     */
    public SubprocessCompiler(SubprocessConfig config, Seeds seeds, HelperEvents events) {
        this.config = config;
        this.directory = HelperDirectory.create(config.directory());
        this.helper = new HelperProcess(config, directory, new HelperWatch(events));
        this.keyOptions = config.keyFiles() ? inFiles(seeds, directory) : inArguments(seeds);
    }

    private static List<String> inFiles(Seeds seeds, HelperDirectory directory) {
        return List.of(
                "--signing-key-file",
                directory.privateFile("manifest-key", HexFormat.of().formatHex(seeds.manifestSeed())),
                "--ledger-signing-key-file",
                directory.privateFile("ledger-key", HexFormat.of().formatHex(seeds.ledgerSeed())));
    }

    private static List<String> inArguments(Seeds seeds) {
        return List.of(
                "--signing-key-seed-hex",
                HexFormat.of().formatHex(seeds.manifestSeed()),
                "--ledger-signing-key-seed-hex",
                HexFormat.of().formatHex(seeds.ledgerSeed()));
    }

    @Override
    public JobSummary compile(AuditBuildInput input, Deadline deadline, CancelSignal cancel, CompileProgress progress) {
        Deadline bound = deadline.within(config.buildTimeout(), HelperProcess.PHASE);
        progress.checkpoint("serialization");
        HelperProcess.Output output = helper.run(options(), out -> BuildInputWriter.write(input, out), bound, cancel);
        cancel.throwIfCancelled();
        bound.check(HelperProcess.PHASE);
        HelperPhases.report(output.stderr(), progress);
        try {
            return SummaryReader.read(output.stdout());
        } catch (JsonException | IllegalArgumentException malformed) {
            throw new CompileException("helper returned a malformed job summary: " + malformed.getMessage(), malformed);
        }
    }

    private List<String> options() {
        List<String> options = new ArrayList<>(List.of("--input", "-"));
        options.addAll(keyOptions);
        options.add("--job-summary-output");
        options.add("--phase-metrics");
        return options;
    }

    /**
     * Returns the helper that was started last and still runs.
     *
     * @return its process id, or empty if none runs
     */
    public OptionalLong helperPid() {
        return Stream.ofNullable(running.peekFirst()).mapToLong(Long::longValue).findFirst();
    }

    @Override
    public void close() {
        directory.close();
    }

    /** Knows which helpers run, and recognises the first start after a termination or crash as a restart. */
    private final class HelperWatch implements HelperEvents {
        private final HelperEvents target;
        private final AtomicBoolean lost = new AtomicBoolean();

        private HelperWatch(HelperEvents target) {
            this.target = target;
        }

        @Override
        public void count(Kind kind) {
            target.count(kind);
            if (kind == Kind.TERMINATIONS || kind == Kind.CRASHES) {
                lost.set(true);
            } else if (kind == Kind.STARTS && lost.compareAndSet(true, false)) {
                target.count(Kind.RESTARTS);
            }
        }

        @Override
        public void running(long pid) {
            running.addFirst(pid);
            target.running(pid);
        }

        @Override
        public void gone(long pid) {
            running.remove(pid);
            target.gone(pid);
        }

        @Override
        public void took(Step step, long nanos) {
            target.took(step, nanos);
        }

        @Override
        public void bytes(long input, long output) {
            target.bytes(input, output);
        }
    }
}
