package org.prismpool.stratum.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.stratum.WorkedExample.USER;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.JobPurpose;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.ProxyProtocol;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.StratumMetrics.CoinbaseBudget;
import org.prismpool.stratum.WorkedExample;

/** Coinbase sizes against listeners and devices (spec 02 §5.7, field case 54). */
class BudgetTest {

    @ParameterizedTest
    @CsvSource({
        "NiceHash/1.0.0, NICEHASH, 500",
        "nicehash, NICEHASH, 500",
        "NerdMinerV2, SMALL, 1024",
        "NerdQAxe++/BM1370, STANDARD, 16384",
        "bitaxe/BM1370/v2.13, STANDARD, 16384",
        "Antminer S19/x, STANDARD, 16384",
        "whatsminer/v1, STANDARD, 16384",
        "'', STANDARD, 16384",
    })
    void agentsFallIntoTheirClasses(String agent, CoinbaseBudget budget, int bytes) {
        for (int i = 0; i < 20; i++) {
            AgentClasses.AgentClass found = new AgentClasses().of(agent);
            assertThat(found.budget()).isEqualTo(budget);
            assertThat(found.bytes()).isEqualTo(bytes);
        }
    }

    @Test
    void theSizeOfACoinbaseGrowsBy43BytesForEachOutput() {
        int one = WorkedExample.work().coinbaseBytes();
        assertThat(WorkedExample.largeWork(9).coinbaseBytes()).isEqualTo(one + 9 * 43);
        assertThat(WorkedExample.largeWork(300).coinbaseBytes()).isEqualTo(one + 300 * 43 + 2);
    }

    @Test
    void exceedingAClassIsCountedOncePerConnectionAndWork() {
        Rig rig = rig(0, false);
        rig.work = WorkedExample.largeWork(10);
        FakeWire market = connectAs(rig, "NiceHash/1.0.0");
        FakeWire bitaxe = connectAs(rig, "bitaxe/BM1370");
        rig.jobs.publish(JobPurpose.SAME_TIP);
        assertThat(rig.metrics.count("budget:NICEHASH")).isEqualTo(1);
        rig.work = WorkedExample.largeWork(10);
        rig.jobs.publish(JobPurpose.SAME_TIP);
        assertThat(rig.metrics.count("budget:NICEHASH")).isEqualTo(2);
        assertThat(rig.metrics.count("budget:STANDARD")).isZero();

        assertThat(market.jobs).hasSize(3);
        assertThat(bitaxe.jobs).hasSize(3);
        assertThat(rig.services.coinbaseBytes()).isEqualTo(rig.work.coinbaseBytes());
        assertThat(rig.services.notifyBytes()).isGreaterThan(2 * rig.work.coinbaseBytes());
    }

    @Test
    void aListenerBudgetOnlyReportsUnlessItRefuses() {
        Rig reporting = rig(200, false);
        assertThat(connectAs(reporting, "x").jobs).hasSize(1);
        assertThat(connectAs(reporting, "x").jobs).hasSize(1);
        assertThat(reporting.metrics.count("budget:LISTENER")).isZero();
        reporting.work = WorkedExample.largeWork(10);
        reporting.jobs.publish(JobPurpose.NEW_WORK);
        assertThat(reporting.metrics.count("budget:LISTENER")).isEqualTo(2);
        assertThat(connectAs(reporting, "x").closedFor()).isEmpty();
    }

    @Test
    void refusingConcernsOnlySessionsWithoutWork() {
        Rig refusing = rig(200, true);
        FakeWire working = connectAs(refusing, "x");
        refusing.work = WorkedExample.largeWork(10);
        refusing.jobs.publish(JobPurpose.NEW_WORK);
        int size = refusing.work.coinbaseBytes();
        assertThat(working.jobs).hasSize(2);
        FakeWire late = connectAs(refusing, "x");

        assertThat(late.last())
                .contains("[20, \"coinbase of " + size
                        + " bytes exceeds the limit of 200 bytes of this listener\", null]");
        assertThat(late.closedFor()).contains(DisconnectReason.COINBASE_BUDGET);
        Rig.authorize(working, USER, "x");
        assertThat(working.closedFor()).isEmpty();
        assertThat(working.jobs).hasSize(3);
    }

    private static FakeWire connectAs(Rig rig, String agent) {
        FakeWire wire = rig.connect();
        wire.feed("{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[\"" + agent + "\"]}");
        Rig.authorize(wire, USER, "x");
        return wire;
    }

    private static Rig rig(int budget, boolean refuse) {
        ListenerConfig plain = Rig.listener("0.000000001", "0.000000001", "1024");
        ListenerConfig limited = new ListenerConfig(
                plain.name(),
                plain.bind(),
                0,
                plain.backlog(),
                plain.heartbeat(),
                plain.fixedDifficulty(),
                plain.vardiff(),
                Optional.empty(),
                budget,
                Optional.empty());
        return new Rig(Rig.config(limited)
                .with(new StratumConfig.TransportConfig(1, ProxyProtocol.OFF, refuse, Duration.ofSeconds(1))));
    }
}
