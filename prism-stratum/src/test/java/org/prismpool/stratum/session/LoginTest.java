package org.prismpool.stratum.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.stratum.WorkedExample.ADDRESS;
import static org.prismpool.stratum.WorkedExample.EN2;
import static org.prismpool.stratum.WorkedExample.NTIME;
import static org.prismpool.stratum.WorkedExample.USER;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.stratum.AddressLookup;
import org.prismpool.stratum.ConnectionLimits;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.IdentityPolicy;
import org.prismpool.stratum.JobPolicy;

/** Subscribe, authorize, configure: acceptance 14 to 19 and the field cases about them. */
class LoginTest {

    private static final String TRUE = "\"result\": true, \"error\": null}\n";

    private final Rig rig = new Rig();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "[\"cgminer/3.7.2\",\"deadbeefcafebabe0400000000000000\"]",
                "[\"a\",null,\"host\",3340]",
                "[1,2,3]",
                "[null]"
            })
    void subscribeGivesTheSameExtranonceWhateverItsParameters(String params) {
        FakeWire miner = rig.connect();
        String request = "{\"id\":344,\"method\":\"mining.subscribe\",\"params\":" + params + "}";
        miner.feed(request);
        miner.feed(request);

        String answer = "{\"id\": 344, \"result\": [[], \"00000001\", 8], \"error\": null}\n";
        assertThat(miner.sent).containsExactly(answer, answer);
    }

    @Test
    void nothingButTheTruePrecedesTheFirstDifficultyAndTheJobFollowsIt() {
        FakeWire miner = rig.miner(USER, "x");

        assertThat(miner.sent).hasSize(4);
        assertThat(miner.sent.get(1)).endsWith(TRUE);
        assertThat(miner.sent.get(2)).contains("mining.set_difficulty");
        assertThat(miner.sent.get(3)).contains("mining.notify");
        assertThat(miner.cleanFlags).containsExactly(true);
    }

    @Test
    void authorizeBeforeSubscribeGivesTheJobAfterTheSubscribe() {
        FakeWire miner = rig.connect();
        Rig.authorize(miner, USER, "x");
        assertThat(miner.sent).hasSize(1);
        miner.feed("{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}");

        assertThat(miner.sent.get(1)).contains("00000001");
        assertThat(miner.jobs).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[[\"version-rolling\",\"minimum-difficulty\",\"subscribe-extranonce\",\"info\"],"
                        + "{\"version-rolling.mask\":\"ffffffff\",\"version-rolling.min-bit-count\":2,"
                        + "\"minimum-difficulty.value\":2048}]|{\"version-rolling\": true, \"minimum-difficulty\": false,"
                        + " \"subscribe-extranonce\": false, \"info\": false, \"version-rolling.mask\": \"1fffe000\"}",
                "[[\"version-rolling\"],{\"version-rolling.mask\":\"00001fff\"}]|"
                        + "{\"version-rolling\": false, \"version-rolling.mask\": \"00000000\"}",
                "[[\"version-rolling\"],{\"version-rolling.mask\":\"FFFFFFFF\"}]|"
                        + "{\"version-rolling\": true, \"version-rolling.mask\": \"1fffe000\"}",
                "[[\"version-rolling\"]]|{\"version-rolling\": true, \"version-rolling.mask\": \"1fffe000\"}",
                "[[\"minimum-difficulty\",\"subscribe-extranonce\",\"info\"]]|"
                        + "{\"minimum-difficulty\": false, \"subscribe-extranonce\": false, \"info\": false}",
                "[]|{}",
                "[\"version-rolling\"]|{}",
                "[null,{}]|{}",
            })
    void configureGrantsTheCommonBits(String params, String result) {
        FakeWire miner = rig.connect();
        miner.feed("{\"id\":1,\"method\":\"mining.configure\",\"params\":" + params + "}");

        assertThat(miner.sent).containsExactly("{\"id\": 1, \"result\": " + result + ", \"error\": null}\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"fff\"", "\"0xffffff\"", "\"gggggggg\"", "5", "null", "\"\"", "\" fffffff\""})
    void aMalformedMaskIsAnsweredAndTheSessionStays(String mask) {
        FakeWire miner = rig.connect();
        miner.feed("{\"id\":1,\"method\":\"mining.configure\",\"params\":[[\"version-rolling\"],"
                + "{\"version-rolling.mask\":" + mask + "}]}");

        assertThat(miner.last()).contains("[20, \"version-rolling.mask must be an 8-character hex string\", null]");
        Rig.login(miner, USER, "x");
        assertThat(miner.jobs).hasSize(1);
    }

    @Test
    void restrictedMasksAreGrantedPerSession() {
        Rig restricted = new Rig(Rig.config(Rig.listener("0.000000001", "0.000000001", "1024"))
                .with(JobPolicy.fixed().withShape(0x0000e000, 8)));
        FakeWire miner = restricted.connect();
        Rig.configure(miner);
        assertThat(miner.last()).contains("\"version-rolling.mask\": \"0000e000\"");

        Rig none = new Rig(Rig.config(Rig.listener("0.000000001", "0.000000001", "1024"))
                .with(JobPolicy.fixed().withShape(0, 8)));
        FakeWire other = none.connect();
        Rig.configure(other);
        assertThat(other.last()).contains("{\"version-rolling\": false, \"version-rolling.mask\": \"00000000\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nonsense.w|username base is not a valid qbit address: nonsense",
                "''|username base is empty",
                ".w|username base is empty",
                "qb1z424242424242424242424242424242424242424242424242424qy0qkau"
                        + "|username base is not a valid qbit address: "
                        + "qb1z424242424242424242424242424242424242424242424242424qy0qkau",
                "' " + "a.w'|username base is not a valid qbit address:  a",
            })
    void aBadNameIsRefusedAndALaterGoodOneWorks(String username, String message) {
        FakeWire miner = rig.connect();
        Rig.login(miner, username, "x");
        assertThat(miner.last())
                .isEqualTo("{\"id\": 2, \"result\": null, \"error\": [20, \"" + message + "\", null]}\n");
        Rig.authorize(miner, USER, "x");

        assertThat(miner.jobs).hasSize(1);
    }

    @Test
    void namesThatADatabaseCannotStoreAreRefused() {
        FakeWire miner = rig.connect();
        FakeWire neighbour = rig.miner(USER, "x");
        Rig.login(miner, ADDRESS + ".a\\u0000b", "x");

        assertThat(miner.last()).contains("[20, \"username is not valid\", null]");
        assertThat(miner.closedFor()).isEmpty();
        String job = neighbour.lastJob().jobId();
        int nonce = 0;
        while (Rig.submit(neighbour, USER, job, EN2, NTIME, String.format("%08x", nonce))
                .contains("low-difficulty")) {
            nonce++;
        }
        assertThat(neighbour.last()).contains(TRUE.strip());
        assertThat(rig.shares.shares).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "..", ".w.1", ".w/mail@example.org", ".<img src=x onerror=alert(1)>", ".../../tmp/x"})
    void anyWorkerPartIsKeptAsItIs(String worker) {
        FakeWire miner = rig.miner(ADDRESS + worker, "x");

        assertThat(miner.lastJob().worker().payoutAddress()).isEqualTo(ADDRESS);
        assertThat(miner.lastJob().worker().username()).isEqualTo(ADDRESS + worker);
    }

    @Test
    void anUpperCaseAddressIsTheSameMiner() {
        FakeWire miner = rig.miner(ADDRESS.toUpperCase(Locale.ROOT) + ".Rig", "x");

        assertThat(miner.lastJob().worker().payoutAddress()).isEqualTo(ADDRESS);
        assertThat(miner.lastJob().worker().username()).isEqualTo(ADDRESS.toUpperCase(Locale.ROOT) + ".Rig");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"%s\"]", "[\"%s\",\"\"]", "[\"%s\",null]", "[\"%s\",\"x\",\"y\"]", "[\"%s\",123]"})
    void thePasswordMayBeMissingOrOdd(String params) {
        FakeWire miner = rig.connect();
        miner.feed("{\"id\":2,\"method\":\"mining.authorize\",\"params\":" + String.format(params, USER) + "}");

        assertThat(miner.last()).endsWith(TRUE);
    }

    @Test
    void aFallbackAddressIsCreditedForNamesThatCannotBePaid() {
        Rig lenient = new Rig(Rig.config(Rig.listener("0.000000001", "0.000000001", "1024"))
                .with(new IdentityPolicy(Optional.of(ADDRESS), java.util.Map.of(), 100)));
        FakeWire miner = lenient.miner("junk.rig", "x");

        assertThat(miner.lastJob().worker().username()).isEqualTo("junk.rig");
        assertThat(miner.lastJob().worker().workerName()).contains("rig");
        assertThat(miner.lastJob().worker().payoutAddress()).isEqualTo(ADDRESS);
        assertThat(lenient.miner("", "x").lastJob().worker().payoutAddress()).isEqualTo(ADDRESS);
    }

    @Test
    void anUnavailableNodeIsAnsweredAndNoFallbackIsUsed() {
        rig.addresses.answer = Optional.of(CompletableFuture.failedFuture(new IllegalStateException("down")));
        FakeWire miner = rig.connect();
        Rig.login(miner, USER, "x");
        assertThat(miner.last())
                .contains("[20, \"address validation unavailable\", {\"reason_id\": \"backend-rpc-unavailable\"}]");

        rig.addresses.answer = Optional.empty();
        Rig.authorize(miner, USER, "x");
        assertThat(miner.jobs).hasSize(1);
    }

    @Test
    void requestsAfterAnAuthorizeWaitForItsAnswer() {
        CompletableFuture<AddressLookup> slow = new CompletableFuture<>();
        rig.addresses.answer = Optional.of(slow);
        FakeWire miner = rig.connect();
        Rig.login(miner, USER, "x");
        miner.feed("{\"id\":3,\"method\":\"mining.suggest_difficulty\",\"params\":[512]}");
        miner.feed("{\"id\":4,\"method\":\"mining.extranonce.subscribe\",\"params\":[]}");
        assertThat(miner.sent).hasSize(1);
        slow.complete(new AddressLookup.Payable(ADDRESS, "aa".repeat(32)));

        List<String> answers = new ArrayList<>(miner.sent);
        answers.removeIf(line -> line.contains("\"method\""));
        assertThat(answers).hasSize(4);
        assertThat(answers.get(1)).startsWith("{\"id\": 2,");
        assertThat(answers.get(2)).startsWith("{\"id\": 3,");
        assertThat(answers.get(3)).startsWith("{\"id\": 4,");
    }

    @Test
    void theUsernameLimitRefusesASecondConnectionAndKeepsALiveOnesName() {
        Rig limited = new Rig(Rig.config(Rig.listener("0.000000001", "0.000000001", "1024"))
                .with(ConnectionLimits.defaults().withCeilings(10, 1, 0)));
        FakeWire first = limited.miner(USER, "x");
        FakeWire second = limited.miner(USER, "x");
        assertThat(second.last()).contains("[20, \"too many connections for username\", null]");
        assertThat(second.closedFor()).contains(DisconnectReason.USERNAME_LIMIT);

        FakeWire third = limited.miner(ADDRESS + ".other", "x");
        Rig.authorize(third, USER, "x");
        assertThat(third.last()).contains("too many connections for username");
        assertThat(third.closedFor()).isEmpty();
        assertThat(third.lastJob().worker().username()).isEqualTo(ADDRESS + ".other");

        first.close(DisconnectReason.PEER);
        assertThat(limited.miner(USER, "x").jobs).hasSize(1);
        assertThat(limited.metrics.count("refused:USERNAME")).isEqualTo(2);
    }

    @Test
    void aFullPendingBoundRefusesAReauthorizeAndKeepsTheOldSession() {
        FakeWire miner = rig.miner(USER, "x");
        rig.issuer.capacity = false;
        Rig.authorize(miner, ADDRESS + ".new", "d=7");

        assertThat(miner.last()).contains("[20, \"initial job delivery capacity unavailable\", null]");
        assertThat(miner.session.view().worker().orElseThrow().username()).isEqualTo(USER);
        assertThat(miner.session.view().epoch().authorizationGeneration()).isEqualTo(1);
        assertThat(miner.jobs).hasSize(1);
    }

    @Test
    void aRefusedFirstJobClosesTheConnectionAfterItsTrue() {
        rig.issuer.refuseInitial = true;
        FakeWire miner = rig.miner(USER, "x");

        assertThat(miner.last()).endsWith(TRUE);
        assertThat(miner.closedFor()).contains(DisconnectReason.INITIAL_JOB_REFUSED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mining.multi_version", "mining.get_transactions", "mining.ping", "mining.get_version",
                "client.get_version", "mining.capabilities", "mining.hashrate_report", "mining.suggest_target",
                "mining.suggest_difficulty(1000)"
            })
    void methodsThatAreNotOfferedAreAnswered(String method) {
        FakeWire miner = rig.connect();
        miner.feed("{\"id\":\"q\",\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":[1]}");

        assertThat(miner.last())
                .isEqualTo("{\"id\": \"q\", \"result\": null, \"error\": [20, \"unsupported method " + method
                        + "\", null]}\n");
        Rig.login(miner, USER, "x");
        assertThat(miner.jobs).hasSize(1);
    }

    @Test
    void anUnexpectedFaultIsAnsweredAndTheSessionStays() {
        FakeWire miner = rig.connect();
        rig.issuer.fault = Optional.of(new IllegalStateException("broken"));
        Rig.login(miner, USER, "x");
        assertThat(miner.last())
                .isEqualTo("{\"id\": 2, \"result\": null, \"error\": [20, \"internal error\","
                        + " {\"reason_id\": \"internal-error\"}]}\n");
        rig.issuer.fault = Optional.empty();
        Rig.authorize(miner, USER, "x");

        assertThat(miner.jobs).hasSize(1);
    }
}
