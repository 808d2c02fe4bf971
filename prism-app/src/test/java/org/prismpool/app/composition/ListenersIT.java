package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.stratum.testing.MinerJob;
import org.prismpool.stratum.testing.StratumTestClient;

/**
 * A whole coordinator whose environment opens every kind of Stratum listener: the default one on IPv6, one for high
 * difficulties behind a proxy, one with TLS; and limits per address and per username.
 */
class ListenersIT {

    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private static Path directory;

    private static TestCoordinator coordinator;
    private static int highPort;
    private static int tlsPort;

    @BeforeAll
    static void start() throws Exception {
        highPort = freePort();
        tlsPort = freePort();
        makeCertificate();
        coordinator = TestCoordinator.start(
                directory,
                Map.ofEntries(
                        entry("PRISM_STRATUM_BIND", "::1"),
                        entry("PRISM_STRATUM_HIGHDIFF_BIND", "127.0.0.1"),
                        entry("PRISM_STRATUM_HIGHDIFF_PORT", Integer.toString(highPort)),
                        entry("PRISM_STRATUM_TLS_PORT", Integer.toString(tlsPort)),
                        entry(
                                "PRISM_STRATUM_TLS_CERT_FILE",
                                directory.resolve("cert.pem").toString()),
                        entry(
                                "PRISM_STRATUM_TLS_KEY_FILE",
                                directory.resolve("key.pem").toString()),
                        entry("PRISM_STRATUM_PROXY_PROTOCOL", "any"),
                        entry("PRISM_STRATUM_PROXY_TRUSTED_CIDRS", "127.0.0.0/8"),
                        entry("PRISM_STRATUM_MAX_CONNECTIONS_PER_IP", "3"),
                        entry("PRISM_STRATUM_MAX_CONNECTIONS_PER_USERNAME", "1")));
    }

    @AfterAll
    static void stop() {
        coordinator.close();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    private static StratumTestClient overIpv6() throws IOException {
        return StratumTestClient.connect(
                SocketFactory.getDefault(), "::1", coordinator.stratumPort(), Duration.ofSeconds(30));
    }

    private static StratumTestClient throughProxy(String client) throws IOException {
        StratumTestClient connection =
                StratumTestClient.connect(SocketFactory.getDefault(), "127.0.0.1", highPort, Duration.ofSeconds(30));
        connection.sendRaw(("PROXY TCP4 " + client + " 192.0.2.1 40000 3340\r\n").getBytes(StandardCharsets.US_ASCII));
        return connection;
    }

    @Test
    void theDefaultListenerServesIpv6AndHoldsTheLimitPerUsername() throws Exception {
        try (StratumTestClient miner = overIpv6();
                StratumTestClient second = overIpv6()) {
            assertThat(miner.login(TestCoordinator.ADDRESS + ".v6", "x").clean())
                    .isTrue();

            assertThat(second.request("mining.authorize", "[\"" + TestCoordinator.ADDRESS + ".v6\", \"x\"]"))
                    .contains("too many connections for username");
            assertThat(second.readToEnd()).isEmpty();
        }
    }

    @Test
    void theHighListenerStartsAtItsFloorForMinersBehindATrustedProxy() throws Exception {
        try (StratumTestClient miner = throughProxy("203.0.113.7")) {
            MinerJob job = miner.login(TestCoordinator.ADDRESS + ".high", "d=1000");

            assertThat(job.difficulty()).isEqualTo(500_000);
        }
    }

    @Test
    void theLimitPerAddressCountsTheAddressThatTheProxyAnnounces() throws Exception {
        try (StratumTestClient one = throughProxy("198.51.100.1");
                StratumTestClient two = throughProxy("198.51.100.1");
                StratumTestClient three = throughProxy("198.51.100.1")) {
            for (StratumTestClient client : List.of(one, two, three)) {
                assertThat(client.request("mining.subscribe", "[]")).contains("\"result\"");
            }
            try (StratumTestClient fourth = throughProxy("198.51.100.1");
                    StratumTestClient neighbour = throughProxy("198.51.100.2")) {
                assertThat(fourth.readToEnd()).isEmpty();
                assertThat(neighbour.request("mining.subscribe", "[]")).contains("\"result\"");
            }
        }
    }

    @Test
    void aTrustedNetworkWithoutAHeaderIsClosed() throws Exception {
        try (StratumTestClient direct = StratumTestClient.connect(highPort)) {
            direct.sendLine("{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}");

            assertThat(direct.readToEnd()).isEmpty();
        }
    }

    @Test
    void theTlsListenerServesTheCertificateAndWork() throws Exception {
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, new TrustManager[] {new TrustEverything()}, null);
        StratumTestClient client =
                StratumTestClient.connect(trusting.getSocketFactory(), "::1", tlsPort, Duration.ofSeconds(30));
        try (client) {
            assertThat(client.login(TestCoordinator.ADDRESS + ".tls", "x").clean())
                    .isTrue();
        }
        try (Socket plain = new Socket("::1", tlsPort)) {
            plain.setSoTimeout(10_000);
            plain.getOutputStream().write("{\"id\":1}\n".getBytes(StandardCharsets.US_ASCII));
            await("the end of a connection without TLS").until(() -> ended(plain));
        }
    }

    private static boolean ended(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    private static void makeCertificate() throws Exception {
        Path store = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "pool",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=pool.test",
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD)))
                .redirectErrorStream(true)
                .start();
        keytool.getInputStream().readAllBytes();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        Files.writeString(
                directory.resolve("cert.pem"),
                pem("CERTIFICATE", keys.getCertificate("pool").getEncoded()));
        Files.writeString(
                directory.resolve("key.pem"),
                pem("PRIVATE KEY", keys.getKey("pool", PASSWORD).getEncoded()));
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + kind
                + "-----\n";
    }

    /** The certificate is the test's own. */
    private static final class TrustEverything implements X509TrustManager {
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
