package org.prismpool.payout.tool;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.prismpool.payout.audit.PhaseMetrics;
import org.prismpool.payout.audit.ServeSession;
import org.prismpool.payout.signing.ManifestSigner;

/** Daemon mode of the bundle builder: JSON lines in, one reply line for each that is not blank. */
final class ServeTool {

    private static final int INPUT_BLOCK = 1 << 16;
    private static final int MAX_LINE = 1 << 30;
    private static final String HANDSHAKE =
            "{\"event\":\"handshake\",\"protocol\":1,\"tool\":\"qbit-prism-build-audit-bundle\"}";

    private ServeTool() {}

    static void serve(
            ManifestSigner coinbaseSigner, ManifestSigner ledgerSigner, ToolStreams streams, LongSupplier nanoTime)
            throws IOException {
        ServeSession session = new ServeSession(coinbaseSigner, ledgerSigner);
        reply(streams, HANDSHAKE);
        InputStream in = new BufferedInputStream(streams.in(), INPUT_BLOCK);
        for (Optional<byte[]> line = line(in); line.isPresent(); line = line(in)) {
            if (!isBlank(line.get())) {
                reply(streams, session.answer(line.get(), new PhaseMetrics(nanoTime)));
            }
        }
    }

    private static void reply(ToolStreams streams, String document) throws IOException {
        streams.out().writeBytes((document + "\n").getBytes(StandardCharsets.UTF_8));
        streams.out().flush();
        if (streams.out().checkError()) {
            throw new IOException("failed to write output");
        }
    }

    private static Optional<byte[]> line(InputStream in) throws IOException {
        int next = in.read();
        if (next < 0) {
            return Optional.empty();
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (next >= 0 && next != '\n') {
            if (line.size() == MAX_LINE) {
                throw new IOException("request line is longer than " + MAX_LINE + " bytes");
            }
            line.write(next);
            next = in.read();
        }
        return Optional.of(line.toByteArray());
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }
}
