package org.prismpool.payout.audit;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.JsonException;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.window.PayoutRuleException;

/**
 * Reads an audit bundle in any stored form: whole (v1, v1.1), v2 body, legacy body reference, or live envelope.
 *
 * <p>Stateless and thread-safe; blocks on the files. Segment files are looked up beside the body.
 */
public final class AuditArtifact {

    private static final String ENVELOPE = "qbit.prism.live-audit-bundle-envelope.v1";
    private static final ObjectShape SCHEMA_ONLY = ObjectShape.optional(Name.of("schema"));
    private static final int MAX_ENVELOPE_DEPTH = 2;

    private AuditArtifact() {}

    /**
     * Reads an artifact from a file.
     *
     * @param file the file; relative references resolve against its folder
     * @return the bundle; for compact forms everything that the form states has been checked
     * @throws PayoutRuleException with the contract text if it cannot be read, is malformed or contradicts itself
     */
    public static AuditBundle read(Path file) {
        return read(file, MAX_ENVELOPE_DEPTH);
    }

    /**
     * Reads an artifact from a stream.
     *
     * @param in the stream, not closed
     * @param folder relative references resolve against it
     * @return the bundle; for compact forms everything that the form states has been checked
     * @throws PayoutRuleException with the contract text if it cannot be read, is malformed or contradicts itself
     */
    public static AuditBundle read(InputStream in, Path folder) {
        return guarded(() -> readOnce(in, folder, MAX_ENVELOPE_DEPTH));
    }

    private static AuditBundle readOnce(InputStream in, Path folder, int envelopes) throws IOException {
        Recorded recorded = new Recorded(in);
        String schema = schema(ExactReader.of(recorded));
        return read(ExactReader.of(recorded.fromStart()), schema, folder, envelopes);
    }

    private static AuditBundle read(Path file, int envelopes) {
        Path parent = file.getParent();
        Path folder = parent == null ? Path.of("") : parent;
        return guarded(() -> {
            if (file.toString().isEmpty()) {
                throw new NoSuchFileException(""); // Java would take it for the working directory
            }
            if (!Files.isRegularFile(file)) {
                try (InputStream once = Files.newInputStream(file)) { // a pipe can't be opened twice
                    return readOnce(once, folder, envelopes);
                }
            }
            String schema;
            try (InputStream first = Files.newInputStream(file)) {
                schema = schema(ExactReader.of(first));
            }
            try (InputStream again = Files.newInputStream(file)) {
                return read(ExactReader.of(again), schema, folder, envelopes);
            }
        });
    }

    private static Path resolve(Path folder, String reference) throws IOException {
        try {
            return folder.resolve(reference);
        } catch (InvalidPathException e) {
            throw new IOException("invalid path: " + e.getReason(), e);
        }
    }

    private static AuditBundle read(ExactReader in, String schema, Path folder, int envelopes) throws IOException {
        return switch (schema) {
            case CompactBody.SCHEMA_V2 -> CompactBody.read(in, true).reconstruct(new FolderFiles(folder));
            case CompactBody.SCHEMA_REF -> CompactBody.read(in, false).reconstruct(new FolderFiles(folder));
            case ENVELOPE -> follow(LiveEnvelope.read(in), folder, envelopes);
            default -> AuditBundle.read(in);
        };
    }

    private static AuditBundle follow(LiveEnvelope.Pointer pointer, Path folder, int envelopes) throws IOException {
        if (envelopes == 0) {
            throw ShareParts.invalid("live envelope refers to an envelope");
        }
        AuditBundle bundle = read(resolve(folder, pointer.target()), envelopes - 1);
        String actual = bundle.sha256Hex();
        if (!actual.equals(pointer.auditBundleSha256())) {
            throw ShareParts.hashMismatch(pointer.auditBundleSha256(), actual);
        }
        return bundle;
    }

    /** Finds the schema of a document; an empty text if it has none. */
    private static String schema(ExactReader in) {
        ObjectCursor member = in.object(SCHEMA_ONLY);
        return member.next() ? in.text() : "";
    }

    /** A read that may fail in the ways that contract texts exist for. */
    @FunctionalInterface
    private interface Reading {
        AuditBundle run() throws IOException;
    }

    private static AuditBundle guarded(Reading reading) {
        try {
            return reading.run();
        } catch (IOException e) {
            throw unreadable(e);
        } catch (UncheckedIOException e) {
            throw unreadable(Objects.requireNonNull(e.getCause()));
        } catch (JsonException e) {
            throw malformed(e);
        }
    }

    static PayoutRuleException malformed(JsonException e) {
        return new PayoutRuleException("invalid audit artifact JSON: " + e.getMessage());
    }

    static PayoutRuleException unreadable(IOException e) {
        return new PayoutRuleException("failed to read audit artifact: " + OsErrors.text(e));
    }

    /** Files beside a body. */
    private record FolderFiles(Path folder) implements SegmentFiles {

        @Override
        public byte[] read(String bodyUri) throws IOException {
            Path file = resolve(folder, bodyUri);
            if (!Files.isRegularFile(file) && Files.exists(file) && !Files.isDirectory(file)) {
                throw new IOException("not a regular file"); // a device or a pipe may never end
            }
            return Files.readAllBytes(file);
        }

        @Override
        public String describe(String bodyUri) {
            return folder.resolve(bodyUri).toString();
        }
    }

    /** A stream that remembers what was read, until it is asked to start again. */
    private static final class Recorded extends FilterInputStream {

        private final ByteArrayOutputStream seen = new ByteArrayOutputStream();

        Recorded(InputStream in) {
            super(in);
        }

        InputStream fromStart() {
            return new SequenceInputStream(new ByteArrayInputStream(seen.toByteArray()), in);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            if (count > 0) {
                seen.write(bytes, offset, count);
            }
            return count;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }
    }
}
