package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.prismpool.stratum.testing.StratumTestClient;

/**
 * Miners in a network of their own whose cable is pulled: no FIN, no RST, nothing (field case 60). Takes about two minutes, and
 * root to lay the cable.
 */
@Tag("soak")
@EnabledOnOs(OS.LINUX)
class DeadPeerIT {

    private static final String NETWORK = "prism" + ProcessHandle.current().pid();
    private static final String OUR_END = NETWORK.substring(5) + "a";
    private static final String THEIR_END = NETWORK.substring(5) + "b";
    private static final String OUR_ADDRESS = "198.18.77.1";
    private static final Duration LIMIT = Duration.ofMinutes(4);

    @BeforeEach
    void layTheCable() throws Exception {
        assumeThat(run("ip", "netns", "add", NETWORK)).as("may make networks").isZero();
        assumeThat(run("ip", "link", "add", OUR_END, "type", "veth", "peer", "name", THEIR_END))
                .as("may lay cables")
                .isZero();
        assertThat(run("ip", "link", "set", THEIR_END, "netns", NETWORK)).isZero();
        assertThat(run("ip", "addr", "add", OUR_ADDRESS + "/30", "dev", OUR_END))
                .isZero();
        assertThat(run("ip", "link", "set", OUR_END, "up")).isZero();
        assertThat(there("ip", "addr", "add", "198.18.77.2/30", "dev", THEIR_END))
                .isZero();
        assertThat(there("ip", "link", "set", THEIR_END, "up")).isZero();
    }

    @AfterEach
    void removeTheCable() throws Exception {
        run("ip", "link", "del", OUR_END); // both ends; they are missing if they could not be made
        run("ip", "netns", "del", NETWORK);
    }

    @Test
    @Timeout(300)
    void minersThatVanishAreGivenUpWithinMinutesWhetherJobsFlowOrNot() throws Exception {
        StratumConfig config =
                Pool.config(ListenerConfig.plain(OUR_ADDRESS, 0, BigDecimal.ONE, Pool.policy("0.000000001", "1024")));
        try (Pool quiet = Pool.started(config);
                Pool busy = Pool.started(config);
                StratumTestClient neighbour = StratumTestClient.connect(
                        SocketFactory.getDefault(), OUR_ADDRESS, busy.port(), Duration.ofSeconds(30))) {
            neighbour.login(WorkedExample.ADDRESS + ".neighbour", "x");
            Process first = minerThere(quiet.port());
            Process second = minerThere(busy.port());
            try {
                await("both to have work")
                        .until(() -> quiet.server.stats().authorized() == 1
                                && busy.server.stats().authorized() == 2);
                assertThat(there("ip", "link", "set", THEIR_END, "down")).isZero();

                await("both to be given up")
                        .atMost(LIMIT)
                        .pollInterval(Duration.ofSeconds(5))
                        .until(() -> {
                            busy.jobs.publish(JobPurpose.SAME_TIP);
                            return quiet.server.stats().activeConnections() == 0
                                    && busy.server.stats().activeConnections() == 1;
                        });
                assertThat(quiet.metrics.count("disconnected:PEER")).isEqualTo(1);
                assertThat(busy.metrics.count("disconnected:PEER")).isEqualTo(1);
                assertThat(neighbour.nextJob().jobId()).isNotEmpty();
            } finally {
                first.destroyForcibly();
                second.destroyForcibly();
            }
        }
    }

    /** A miner of a few lines of shell that logs in and reads until it is killed. */
    private static Process minerThere(int port) throws IOException {
        Process miner = new ProcessBuilder(
                        "ip",
                        "netns",
                        "exec",
                        NETWORK,
                        "bash",
                        "-c",
                        "exec 3<>/dev/tcp/" + OUR_ADDRESS + "/" + port + "; cat >&3; cat <&3")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String login = "{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}\n"
                + "{\"id\":2,\"method\":\"mining.authorize\",\"params\":[\"" + WorkedExample.USER + "\",\"x\"]}\n";
        miner.getOutputStream().write(login.getBytes(StandardCharsets.US_ASCII));
        miner.getOutputStream().close();
        return miner;
    }

    private static int there(String... command) throws Exception {
        String[] all = new String[command.length + 4];
        List.of("ip", "netns", "exec", NETWORK).toArray(all);
        System.arraycopy(command, 0, all, 4, command.length);
        return run(all);
    }

    /** The exit status; 127 if there is no such program. */
    private static int run(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        } catch (IOException missing) {
            return 127;
        }
    }
}
