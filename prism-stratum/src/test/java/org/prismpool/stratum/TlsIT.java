package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.stratum.testing.StratumTestClient;

/** The TLS listener of spec 02 §13 row 17. */
class TlsIT {

    private static final char[] PASSWORD = "changeit".toCharArray();

    private static final String ONLY = "first";
    private static final String NEXT = "second";

    @TempDir
    private static Path stores;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeCertificates() throws Exception {
        List<Process> keytools = List.of(keytool(ONLY), keytool(NEXT));
        for (Process keytool : keytools) {
            keytool.getInputStream().readAllBytes();
            assertThat(keytool.waitFor()).isZero();
        }
    }

    @Test
    void aMinerWorksOverTlsAndACertificateIsReloadedWithoutDroppingSessions() throws Exception {
        TlsFiles files = new TlsFiles(directory.resolve("cert.pem"), directory.resolve("key.pem"));
        writePair(ONLY, files, 1);
        try (Pool pool = Pool.started(Pool.config(Pool.listener(), tls(files)));
                StratumTestClient before = connect(pool)) {
            before.login(WorkedExample.USER, "x");
            assertThat(subject(before)).contains("CN=first");

            Files.writeString(files.privateKey(), "junk");
            Files.setLastModifiedTime(files.privateKey(), FileTime.fromMillis(2000));
            try (StratumTestClient during = connect(pool)) {
                assertThat(subject(during)).as("a bad pair keeps the old one").contains("CN=first");
            }
            writePair(NEXT, files, 3);
            await("the new certificate").until(() -> {
                try (StratumTestClient after = connect(pool)) {
                    return subject(after).contains("CN=second");
                }
            });
            assertThat(before.request("mining.extranonce.subscribe", "[]")).contains("true");
        }
    }

    @Test
    void plainBytesOnTheTlsPortAreClosed() throws Exception {
        TlsFiles files = new TlsFiles(directory.resolve("cert.pem"), directory.resolve("key.pem"));
        writePair(ONLY, files, 1);
        try (Pool pool = Pool.started(Pool.config(Pool.listener(), tls(files)));
                StratumTestClient plain =
                        StratumTestClient.connect(pool.server.port("tls").orElseThrow())) {
            plain.sendLine("{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}");
            assertThat(plain.readToEnd()).noneMatch(line -> line.contains("result"));
            await("the end of it").until(() -> pool.server.stats().activeConnections() == 0);
        }
    }

    @Test
    void aHalfOpenHandshakeLosesItsSlot() throws Exception {
        TlsFiles files = new TlsFiles(directory.resolve("cert.pem"), directory.resolve("key.pem"));
        writePair(ONLY, files, 1);
        StratumConfig config = Pool.config(Pool.listener(), tls(files))
                .with(ConnectionLimits.defaults().withTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(20)));
        try (Pool pool = Pool.started(config);
                StratumTestClient half =
                        StratumTestClient.connect(pool.server.port("tls").orElseThrow())) {
            half.sendRaw(new byte[] {0x16, 0x03, 0x01, 0x02, 0x00, 0x01});
            assertThat(half.readToEnd()).isEmpty();
            await("the slot to be free")
                    .until(() -> pool.metrics.count("disconnected:HANDSHAKE_TIMEOUT") == 1
                            && pool.server.stats().activeConnections() == 0);
        }
    }

    @Test
    void aProxyAnnouncesItsClientBeforeTheTlsHandshake() throws Exception {
        TlsFiles files = new TlsFiles(directory.resolve("cert.pem"), directory.resolve("key.pem"));
        writePair(ONLY, files, 1);
        ProxyProtocol proxy = new ProxyProtocol(ProxyProtocol.Mode.V1, List.of(Cidr.of("127.0.0.1")));
        StratumConfig config = Pool.config(Pool.listener(), tls(files))
                .with(new StratumConfig.TransportConfig(1, proxy, false, Duration.ofSeconds(1)));
        try (Pool pool = Pool.started(config);
                Socket plain = new Socket("127.0.0.1", pool.server.port("tls").orElseThrow())) {
            plain.setSoTimeout(10_000);
            plain.getOutputStream()
                    .write("PROXY TCP4 203.0.113.7 192.0.2.1 1 2\r\n".getBytes(StandardCharsets.US_ASCII));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustAll()}, null);
            try (Socket secure = context.getSocketFactory().createSocket(plain, "pool.test", 1, true)) {
                secure.getOutputStream()
                        .write("{\"id\":1,\"method\":\"mining.subscribe\"}\n".getBytes(StandardCharsets.US_ASCII));
                byte[] answer = new byte[30];
                assertThat(secure.getInputStream().readNBytes(answer, 0, answer.length))
                        .isEqualTo(answer.length);
                assertThat(new String(answer, StandardCharsets.US_ASCII)).startsWith("{\"id\": 1, \"result\": [[], ");
            }
        }
    }

    @Test
    void aMissingCertificateStopsTheBind() {
        TlsFiles files = new TlsFiles(directory.resolve("none.pem"), directory.resolve("none.key"));
        try (Pool pool = new Pool(Pool.config(Pool.listener(), tls(files)))) {
            assertThatThrownBy(() -> pool.server.bind(CancelSignal.never()))
                    .isInstanceOf(java.io.UncheckedIOException.class);
        }
    }

    private static ListenerConfig tls(TlsFiles files) {
        ListenerConfig plain = Pool.listener();
        return new ListenerConfig(
                "tls",
                plain.bind(),
                0,
                plain.backlog(),
                "stratum_accept_tls",
                plain.fixedDifficulty(),
                plain.vardiff(),
                plain.floor(),
                0,
                Optional.of(files));
    }

    private static StratumTestClient connect(Pool pool) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustAll()}, null);
        SSLSocketFactory sockets = context.getSocketFactory();
        return StratumTestClient.connect(
                sockets, "127.0.0.1", pool.server.port("tls").orElseThrow(), Duration.ofSeconds(30));
    }

    private static String subject(StratumTestClient client) throws IOException {
        SSLSocket socket = (SSLSocket) client.socket();
        X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
        return certificate.getSubjectX500Principal().getName();
    }

    private static Path store(String name) {
        return stores.resolve(name + ".p12");
    }

    /** Makes a self-signed pair in a key store. */
    private static Process keytool(String name) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store(name).toString(),
                        "-storepass",
                        new String(PASSWORD)))
                .redirectErrorStream(true)
                .start();
    }

    /** Writes a pair as PEM files with a given modification time. */
    private static void writePair(String name, TlsFiles files, long modifiedSeconds) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store(name))) {
            keys.load(in, PASSWORD);
        }
        Files.writeString(
                files.certificateChain(),
                pem("CERTIFICATE", keys.getCertificate("a").getEncoded()));
        Files.writeString(
                files.privateKey(),
                pem("PRIVATE KEY", keys.getKey("a", PASSWORD).getEncoded()));
        Files.setLastModifiedTime(files.certificateChain(), FileTime.fromMillis(modifiedSeconds * 1000));
        Files.setLastModifiedTime(files.privateKey(), FileTime.fromMillis(modifiedSeconds * 1000));
    }

    private static String pem(String kind, byte[] bytes) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n";
    }

    /** Trusts every server: the test looks at the certificate itself. */
    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
