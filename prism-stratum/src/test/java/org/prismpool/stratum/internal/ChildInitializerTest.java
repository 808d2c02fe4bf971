package org.prismpool.stratum.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Clock;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.stratum.JobPolicy;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.ListenerWatch;
import org.prismpool.stratum.PoolState;
import org.prismpool.stratum.RecordingMetrics;
import org.prismpool.stratum.RecordingShares;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.session.SessionPorts;
import org.prismpool.stratum.solo.FixedTip;
import org.prismpool.stratum.solo.LocalAddresses;
import org.prismpool.stratum.solo.SoloJobs;
import org.prismpool.stratum.vardiff.DifficultyRange;
import org.prismpool.stratum.vardiff.VardiffPace;
import org.prismpool.stratum.vardiff.VardiffPolicy;
import org.prismpool.templates.chain.Network;

/** Spec 02 §3.1: a connection that could not be set up holds no extranonce1. */
class ChildInitializerTest {

    private static final int SPACE = 4; // three values, 0 is not used

    private final VardiffPolicy policy =
            new VardiffPolicy(DifficultyRange.of("1", "16", "1024"), VardiffPace.defaults());
    private final ListenerConfig listener = ListenerConfig.plain("127.0.0.1", 0, policy.startDifficulty(), policy);
    private final ServerContext server = serverWith(listener);

    @Test
    void aFailedSetUpGivesItsExtranonceBack() {
        for (int i = 0; i < SPACE; i++) {
            EmbeddedChannel channel = new EmbeddedChannel(new ChildInitializer(server, listener, Map.of(), null));
            assertThat(channel.isOpen()).isFalse();
        }

        assertThat(server.extranonces().take(1, server.now())).isPresent();
    }

    @Test
    void anErrorDuringTheSetUpGivesItBackToo() {
        for (int i = 0; i < SPACE; i++) {
            EmbeddedChannel channel = new EmbeddedChannel(new ChildInitializer(server, listener, new Broken(), null));
            assertThat(channel.isOpen()).isFalse();
        }

        assertThat(server.extranonces().take(1, server.now())).isPresent();
    }

    private static ServerContext serverWith(ListenerConfig listener) {
        ManualClock clock = new ManualClock();
        SoloJobs jobs = new SoloJobs(Optional::empty);
        RecordingShares shares = new RecordingShares();
        return new ServerContext(
                StratumConfig.of(listener).with(new JobPolicy(8, 0, SPACE, "", JobPolicy.DEFAULT_VERSION_MASK, true)),
                new SessionPorts(
                        new LocalAddresses(Network.REGTEST),
                        jobs,
                        jobs,
                        shares,
                        shares,
                        new FixedTip(clock),
                        PoolState.ALWAYS_OPEN,
                        new RecordingMetrics(),
                        ListenerWatch.NONE,
                        clock,
                        Clock.systemUTC()));
    }

    /** Event loops whose look-up ends as a class that cannot be loaded does. */
    private static final class Broken extends AbstractMap<EventLoop, LoopState> {

        @Override
        public LoopState get(Object key) {
            throw new LinkageError("test");
        }

        @Override
        public Set<Entry<EventLoop, LoopState>> entrySet() {
            return Set.of();
        }
    }
}
