package org.prismpool.app.publicapi.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;

/** The bucket of each client (spec 08 §7.1). */
class AddressLimiterTest {

    private final ManualClock clock = new ManualClock();

    private AddressLimiter limiter(String perSecond, int burst) {
        return new AddressLimiter(new BigDecimal(perSecond), burst, 3, clock);
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException noLiteral) {
            throw new IllegalArgumentException(noLiteral);
        }
    }

    private static int admitted(AddressLimiter limiter, String client, int requests) {
        int admitted = 0;
        for (int i = 0; i < requests; i++) {
            admitted += limiter.refused(address(client)).isEmpty() ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void aBurstPassesAtOnceAndThenOneForEachInterval() {
        AddressLimiter limiter = limiter("20", 40);

        assertThat(admitted(limiter, "192.0.2.1", 100)).isEqualTo(40);
        assertThat(limiter.refused(address("192.0.2.1"))).contains(Duration.ofMillis(50));
        clock.advance(Duration.ofMillis(49));
        assertThat(admitted(limiter, "192.0.2.1", 1)).isZero();
        clock.advance(Duration.ofMillis(1));
        assertThat(admitted(limiter, "192.0.2.1", 2)).isEqualTo(1);
        clock.advance(Duration.ofSeconds(10));
        assertThat(admitted(limiter, "192.0.2.1", 100)).isEqualTo(40);
    }

    @Test
    void clientsDoNotPayForEachOther() {
        AddressLimiter limiter = limiter("1", 2);

        assertThat(admitted(limiter, "192.0.2.1", 5)).isEqualTo(2);
        assertThat(admitted(limiter, "192.0.2.2", 5)).isEqualTo(2);
    }

    @Test
    void oneSubscriberOfIpv6IsOneClient() {
        AddressLimiter limiter = limiter("1", 2);

        assertThat(admitted(limiter, "2001:db8:0:1::1", 1)).isEqualTo(1);
        assertThat(admitted(limiter, "2001:db8:0:1:ffff::2", 5)).isEqualTo(1);
        assertThat(admitted(limiter, "2001:db8:0:2::1", 5)).isEqualTo(2);
    }

    @Test
    void aRateOfZeroIsNoLimit() {
        AddressLimiter limiter = limiter("0", 1);

        assertThat(admitted(limiter, "192.0.2.1", 1000)).isEqualTo(1000);
        assertThat(limiter.remembered()).isZero();
    }

    @Test
    void ofManyClientsTheMostRecentAreRemembered() {
        AddressLimiter limiter = limiter("0.001", 1);
        for (int i = 1; i <= 200; i++) {
            assertThat(admitted(limiter, "192.0.2." + i, 1)).isEqualTo(1);
        }

        assertThat(limiter.remembered()).isEqualTo(3);
        assertThat(admitted(limiter, "192.0.2.200", 1)).isZero();
    }

    @Test
    void extremeRatesDoNotOverflow() {
        assertThat(admitted(limiter("0.0000000000000000001", Integer.MAX_VALUE), "192.0.2.1", 1))
                .isEqualTo(1);
        assertThat(admitted(limiter("1e30", 1), "192.0.2.1", 3)).isPositive();
    }
}
