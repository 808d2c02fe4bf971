package org.prismpool.app.publicapi.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.prismpool.lifecycle.testing.ManualClock;

class AddressLimiterProperties {

    @Property(tries = 200)
    void noOneGetsMoreThanBurstPlusRateOverAnyTime(
            @ForAll @IntRange(min = 1, max = 10) int perSecond,
            @ForAll @IntRange(min = 1, max = 10) int burst,
            @ForAll @Size(max = 100) List<@IntRange(min = 0, max = 500) Integer> pausesMs) {
        ManualClock time = new ManualClock();
        AddressLimiter limiter = new AddressLimiter(BigDecimal.valueOf(perSecond), burst, 3, time);
        long elapsedMs = 0;
        int admitted = 0;
        for (int pause : pausesMs) {
            time.advance(Duration.ofMillis(pause));
            elapsedMs += pause;
            admitted += limiter.refused(InetAddress.getLoopbackAddress()).isEmpty() ? 1 : 0;

            assertThat((long) admitted).isLessThanOrEqualTo(burst + elapsedMs * perSecond / 1000);
        }
    }
}
