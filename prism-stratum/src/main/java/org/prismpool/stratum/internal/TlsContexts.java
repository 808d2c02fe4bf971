package org.prismpool.stratum.internal;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import javax.net.ssl.SSLException;
import org.prismpool.stratum.TlsFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The certificate of one TLS listener, read again when its files change; live sessions keep theirs. Thread-safe. */
final class TlsContexts {

    private static final Logger LOG = LoggerFactory.getLogger(TlsContexts.class);

    private record Stamp(FileTime certificate, FileTime key) {}

    private final TlsFiles files;
    private volatile SslContext current;
    private Stamp stamp; // accept loop only

    TlsContexts(TlsFiles files) {
        this.files = files;
        try {
            this.stamp = stampOf(files);
            this.current = load(files);
        } catch (IOException unusable) {
            throw new UncheckedIOException("TLS certificate or key cannot be used", unusable);
        }
    }

    SslContext current() {
        return current;
    }

    /** Reads the files again if they have changed; a bad pair leaves the old one in use. */
    void reloadIfChanged() {
        try {
            Stamp now = stampOf(files);
            if (now.equals(stamp)) {
                return;
            }
            stamp = now;
            current = load(files);
            LOG.atInfo().log("TLS certificate reloaded");
        } catch (IOException | RuntimeException unusable) {
            LOG.atWarn()
                    .addKeyValue("cause", unusable.getClass().getSimpleName())
                    .log("new TLS certificate or key cannot be used; the old one stays");
        }
    }

    private static Stamp stampOf(TlsFiles files) throws IOException {
        return new Stamp(
                Files.getLastModifiedTime(files.certificateChain()), Files.getLastModifiedTime(files.privateKey()));
    }

    private static SslContext load(TlsFiles files) throws SSLException {
        try {
            return SslContextBuilder.forServer(
                            files.certificateChain().toFile(),
                            files.privateKey().toFile())
                    .protocols("TLSv1.3", "TLSv1.2")
                    .build();
        } catch (IllegalArgumentException malformed) {
            throw new SSLException("malformed certificate or key file", malformed);
        }
    }
}
