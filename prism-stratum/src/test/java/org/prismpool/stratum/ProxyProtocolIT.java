package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.stratum.ProxyProtocol.Mode;
import org.prismpool.stratum.testing.StratumTestClient;

/** PROXY protocol from trusted networks only (spec 02 §13 row 17, field case 21). */
class ProxyProtocolIT {

    private static final String V1 = "PROXY TCP4 203.0.113.7 192.0.2.1 56324 3340\r\n";
    private static final String SUBSCRIBE = "{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}\n";
    private static final byte[] V2 = {
        0x0d,
        0x0a,
        0x0d,
        0x0a,
        0x00,
        0x0d,
        0x0a,
        0x51,
        0x55,
        0x49,
        0x54,
        0x0a,
        0x21,
        0x11,
        0x00,
        0x0c,
        (byte) 203,
        0,
        113,
        7,
        (byte) 192,
        0,
        2,
        1,
        0x11,
        0x22,
        0x0d,
        0x0c
    };

    @Test
    void limitsCountTheAnnouncedAddress() throws Exception {
        StratumConfig config =
                config(Mode.ANY, "127.0.0.0/8").with(ConnectionLimits.defaults().withCeilings(10, 0, 1));
        try (Pool pool = Pool.started(config);
                StratumTestClient first = pool.connect();
                StratumTestClient same = pool.connect();
                StratumTestClient other = pool.connect()) {
            assertThat(opened(first, V1)).contains("00000001");
            same.sendRaw(ascii(V1 + SUBSCRIBE));
            assertThat(same.readToEnd()).isEmpty();
            assertThat(pool.metrics.count("refused:ADDRESS")).isEqualTo(1);
            assertThat(opened(other, V1.replace("113.7", "113.8"))).contains("\"result\"");
        }
    }

    @Test
    void aHeaderMayComeInPieces() throws Exception {
        try (Pool pool = Pool.started(config(Mode.V1, "127.0.0.1"));
                StratumTestClient client = pool.connect()) {
            client.sendRaw(ascii(V1.substring(0, 9)));
            assertThat(client.silentFor(Duration.ofMillis(100))).isTrue();
            assertThat(opened(client, V1.substring(9))).contains("\"result\"");
        }
    }

    @Test
    void bothVersionsAndUnknownSourcesAreTaken() throws Exception {
        try (Pool pool = Pool.started(config(Mode.ANY, "127.0.0.1/32"));
                StratumTestClient binary = pool.connect();
                StratumTestClient unknown = pool.connect()) {
            binary.sendRaw(V2);
            assertThat(opened(binary, "")).contains("\"result\"");
            assertThat(opened(unknown, "PROXY UNKNOWN\r\n")).contains("\"result\"");
        }
    }

    @Test
    void malformedMissingAndUnwantedHeadersCloseTheConnection() throws Exception {
        try (Pool pool = Pool.started(config(Mode.V1, "127.0.0.1"))) {
            for (byte[] opening : List.of(
                    ascii("PROXY TCP4 nonsense\r\n"),
                    ascii("PROXY TCP4 " + "1".repeat(108) + "\r\n"),
                    ascii(SUBSCRIBE),
                    V2)) {
                try (StratumTestClient client = pool.connect()) {
                    client.sendRaw(opening);
                    assertThat(client.readToEnd()).isEmpty();
                }
            }
            await("all counted").until(() -> pool.metrics.count("disconnected:FOREIGN_PROTOCOL") == 4);
        }
    }

    @Test
    void aSecondHeaderAndAHeaderThatNeverEndsCloseTheConnection() throws Exception {
        StratumConfig config = config(Mode.ANY, "127.0.0.1")
                .with(ConnectionLimits.defaults().withTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(20)));
        try (Pool pool = Pool.started(config);
                StratumTestClient twice = pool.connect();
                StratumTestClient never = pool.connect()) {
            twice.sendRaw(ascii(V1 + V1.replace("113.7", "113.9") + SUBSCRIBE));
            assertThat(twice.readToEnd()).isEmpty();

            never.sendRaw(ascii("PROXY TCP4 203."));
            assertThat(never.readToEnd()).isEmpty();
            await("the slot to be free")
                    .until(() -> pool.metrics.count("disconnected:HANDSHAKE_TIMEOUT") == 1
                            && pool.server.stats().activeConnections() == 0);
        }
    }

    @Test
    void aSourceThatIsNoAddressIsNeverLookedUpAndCountsAsTheProxy() throws Exception {
        byte[] path = new byte[16 + 216];
        System.arraycopy(V2, 0, path, 0, 13);
        path[13] = 0x31; // a stream socket of this machine
        path[15] = (byte) 216;
        byte[] name = ascii("name.invalid");
        System.arraycopy(name, 0, path, 16, name.length);
        StratumConfig config =
                config(Mode.V2, "127.0.0.1").with(ConnectionLimits.defaults().withCeilings(10, 0, 1));
        try (Pool pool = Pool.started(config);
                StratumTestClient first = pool.connect();
                StratumTestClient second = pool.connect()) {
            first.sendRaw(path);
            assertThat(opened(first, "")).contains("\"result\"");
            second.sendRaw(path);
            assertThat(second.readToEnd()).isEmpty();
        }
    }

    @Test
    void aHeaderFromElsewhereIsAForeignProtocol() throws Exception {
        try (Pool pool = Pool.started(config(Mode.ANY, "192.0.2.0/24"));
                StratumTestClient untrusted = pool.connect();
                StratumTestClient plain = pool.connect()) {
            untrusted.sendRaw(ascii(V1 + SUBSCRIBE));
            assertThat(untrusted.readToEnd()).isEmpty();
            assertThat(opened(plain, "")).contains("\"result\"");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.0/8, 127.1.2.3, true",
        "10.1.0.0/16, 10.2.0.1, false",
        "10.1.2.3, 10.1.2.3, true",
        "2001:db8::/32, 2001:db8:1::1, true",
        "2001:db8::/32, 2001:db9::1, false",
        "0.0.0.0/0, 8.8.8.8, true",
        "0.0.0.0/0, ::1, false",
    })
    void networksContainTheirAddresses(String network, String address, boolean inside) throws Exception {
        assertThat(Cidr.of(network).contains(InetAddress.getByName(address))).isEqualTo(inside);
    }

    @Test
    void whatIsNoNetworkIsRefused() {
        for (String text : List.of("", "localhost", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "::/129", "a.b.c.d")) {
            assertThatThrownBy(() -> Cidr.of(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new ProxyProtocol(Mode.V1, List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    private static StratumConfig config(Mode mode, String trusted) {
        StratumConfig config = Pool.config(Pool.listener());
        ProxyProtocol proxy = new ProxyProtocol(mode, List.of(Cidr.of(trusted)));
        return config.with(new StratumConfig.TransportConfig(1, proxy, false, Duration.ofSeconds(1)));
    }

    private static String opened(StratumTestClient client, String header) throws IOException {
        client.sendRaw(ascii(header + SUBSCRIBE));
        return client.readLine();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
