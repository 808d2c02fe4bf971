package org.prismpool.templates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.RpcMethod;

class TemplateRepositoryTest {

    private static final Hash256 GENESIS = Network.REGTEST.genesisHash();
    private static final Hash256 OTHER = Hash256.ofDisplayHex("11".repeat(32));
    private static final String TX1 =
            "020000000122222222222222222222222222222222222222222222222222222222222222220000000003222222"
                    + "ffffffff01e80300000000000022522022222222222222222222222222222222222222222222222222222222222222220000"
                    + "0000";

    private final ManualClock clock = new ManualClock();
    private final FakeNode node = new FakeNode().tips(GENESIS);
    private final TemplateRepository repository = new TemplateRepository(
            new TemplateRepository.Config(Network.REGTEST, Duration.ofSeconds(2), 0x1fffe000),
            node,
            clock,
            TemplateMetrics.NONE);

    private static ObjectNode template() {
        return (ObjectNode) FakeNode.json("""
                {"previousblockhash":"%s","height":1,"coinbasevalue":21000000000,"bits":"207fffff","version":536870912,
                 "curtime":1738713662,"mintime":1738713603,"transactions":[],"weightlimit":2000000,"longpollid":"a1",
                 "default_witness_commitment":
                 "6a24aa21a9ede2f61c3f71d1defd3fa999dfa36953755c690689799962b48bebd836974e8cf9"}""".formatted(GENESIS.displayHex()));
    }

    private static ObjectNode with(String field, String json) {
        ObjectNode template = template();
        template.set(field, FakeNode.json(json));
        return template;
    }

    private TemplateOutcome fetch(JsonNode template) {
        node.templates(template);
        return repository.fetch(Deadline.unbounded(clock, "test"), CancelSignal.never());
    }

    private TemplateObservation observe(JsonNode template) {
        return ((TemplateOutcome.Fetched) fetch(template)).current();
    }

    @Test
    void aCoherentTemplateBecomesAnObservation() {
        TemplateObservation observation = observe(template());
        assertThat(observation.parent()).isEqualTo(GENESIS);
        assertThat(observation.generation()).isEqualTo(1);
        assertThat(observation.scaledNetworkDifficulty()).isEqualTo(1_000_000);
        assertThat(observation.template().terms().height()).isEqualTo(1);
        assertThat(observation.template().terms().bits()).isEqualTo(CompactTarget.ofHex("207fffff"));
        assertThat(observation.template().terms().time().futureLimitSeconds()).isEqualTo(600);
        assertThat(repository.current()).contains(observation);
        assertThat(node.calls()).containsExactly("getblocktemplate", "getbestblockhash");
    }

    @Test
    void aTipThatMovedDuringTheFetchSupersedesIt() {
        node.tips(OTHER);
        assertThat(fetch(template())).isEqualTo(new TemplateOutcome.Superseded(OTHER));
        assertThat(repository.current()).isEmpty();
    }

    @Test
    void aNodeFailureIsUnavailable() {
        node.fails(RpcMethod.GET_BLOCK_TEMPLATE, FakeNode.DOWN);
        assertThat(fetch(template())).isEqualTo(new TemplateOutcome.Unavailable(FakeNode.DOWN));
        node.works(RpcMethod.GET_BLOCK_TEMPLATE).fails(RpcMethod.GET_BEST_BLOCK_HASH, FakeNode.LOST);
        assertThat(fetch(template())).isEqualTo(new TemplateOutcome.Unavailable(FakeNode.LOST));
        assertThat(repository.current()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "previousblockhash | null | previousblockhash",
                "previousblockhash | \"\" | previousblockhash",
                "previousblockhash | \"zz\" | previousblockhash",
                "height | null | height",
                "height | 0 | height",
                "height | \"1\" | height",
                "coinbasevalue | 0 | coinbasevalue",
                "coinbasevalue | 2.5 | coinbasevalue",
                "bits | \"1d80ffff\" | bits",
                "bits | \"21000000\" | bits",
                "bits | \"207fff\" | bits",
                "bits | \"2100ffff\" | proof-of-work limit",
                "version | null | version",
                "curtime | \"x\" | curtime",
                "transactions | {} | transactions",
                "transactions | [{}] | transaction 0 has no data",
                "transactions | [{\"data\":\"0\"}] | transaction 0",
                "transactions | [{\"data\":\"0200\"}] | transaction 0",
                "default_witness_commitment | \"6a24aa21a9ed00\" | default_witness_commitment"
            })
    void whatNoWorkCanBeDerivedFromIsBlockedWhole(String field, String json, String reason) {
        TemplateOutcome outcome = fetch(with(field, json));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        TemplateOutcome.Blocked.class,
                        blocked -> assertThat(blocked.reason()).contains(reason));
        assertThat(repository.current()).isEmpty();
    }

    @Test
    void aTransactionThatWeReadOtherwiseThanTheNodeBlocksTheTemplate() {
        ObjectNode template = with("transactions", "[{\"data\":\"" + TX1 + "\",\"fee\":5}]");
        assertThat(fetch(template)).isInstanceOf(TemplateOutcome.Blocked.class);
        template.remove("default_witness_commitment");
        assertThat(fetch(template)).isInstanceOf(TemplateOutcome.Fetched.class);
    }

    @Test
    void aSlowOldAnswerDoesNotReplaceANewerOne() {
        // The first fetch hangs in its second question; a later fetch completes meanwhile.
        TemplateObservation[] newer = new TemplateObservation[1];
        FakeNode slow = new FakeNode() {
            private boolean nested;

            @Override
            public Hash256 getBestBlockHash(Deadline deadline) {
                if (!nested) {
                    nested = true;
                    newer[0] = ((TemplateOutcome.Fetched)
                                    late.fetch(Deadline.unbounded(clock, "newer"), CancelSignal.never()))
                            .observation();
                }
                return super.getBestBlockHash(deadline);
            }
        };
        slow.tips(GENESIS).templates(template(), with("coinbasevalue", "21000000001"));
        late = new TemplateRepository(
                new TemplateRepository.Config(Network.REGTEST, Duration.ofSeconds(2), 0),
                slow,
                clock,
                TemplateMetrics.NONE);
        TemplateOutcome.Fetched older =
                (TemplateOutcome.Fetched) late.fetch(Deadline.unbounded(clock, "older"), CancelSignal.never());
        assertThat(older.overtaken()).isTrue();
        assertThat(older.observation().generation()).isEqualTo(1);
        assertThat(older.current()).isSameAs(newer[0]);
        assertThat(late.current()).containsSame(newer[0]);
    }

    private TemplateRepository late = repository;

    @Test
    void aClockOnlyChangeReusesTheTransactions() {
        ObjectNode first = with("transactions", "[{\"data\":\"" + TX1 + "\"}]");
        first.remove("default_witness_commitment");
        TemplateObservation before = observe(first);
        ObjectNode later = first.deepCopy();
        later.put("curtime", 1738713700);
        later.put("longpollid", "a2");
        TemplateObservation after = observe(later);
        assertThat(after.fingerprint()).isEqualTo(before.fingerprint());
        assertThat(after.generation()).isEqualTo(before.generation() + 1);
        assertThat(after.template().transactions()).isSameAs(before.template().transactions());
        assertThat(after.template().terms().time().current()).isEqualTo(1738713700);
    }

    @Test
    void anotherHeightOnTheSameParentIsBlocked() {
        observe(template());
        assertThat(fetch(with("height", "2")))
                .isEqualTo(new TemplateOutcome.Blocked("height differs from an earlier template on the same parent"));
    }

    @Test
    void aTemplateIsReusedOnAnUnmovedTipOnlyWhileItIsYoung() {
        TemplateObservation observation = observe(template());
        clock.advance(Duration.ofMillis(1999));
        assertThat(repository.reusable(GENESIS)).containsSame(observation);
        assertThat(repository.reusable(OTHER)).isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(repository.reusable(GENESIS)).isEmpty();
    }

    @Test
    void reuseCanBeSwitchedOff() {
        TemplateRepository never = new TemplateRepository(
                new TemplateRepository.Config(Network.REGTEST, Duration.ZERO, 0), node, clock, TemplateMetrics.NONE);
        node.templates(template());
        never.fetch(Deadline.unbounded(clock, "test"), CancelSignal.never());
        assertThat(never.reusable(GENESIS)).isEmpty();
    }

    @Test
    void versionBitsThatMinersMayRollAreCleared() {
        TemplateObservation observation = observe(with("version", "545259521")); // 20800001
        assertThat(observation.template().terms().version()).isEqualTo(0x20000001);
    }

    @Test
    void aNegativeVersionIsTheSameThirtyTwoBits() {
        assertThat(observe(with("version", "-536870912")).template().terms().version())
                .isEqualTo(0xe0000000);
    }

    @Test
    void signetAsksWithItsRule() {
        assertThat(Network.SIGNET.templateRules()).containsExactly("segwit", "signet");
        assertThat(Network.MAINNET.templateRules()).containsExactly("segwit");
    }

    @Test
    void anOverfullTemplateLosesTrailingTransactionsAndTheirFees() {
        ObjectNode json = with(
                "transactions",
                "[{\"data\":\"" + TX1 + "\",\"fee\":5},{\"data\":\"" + TX1.replace("e803", "e903") + "\",\"fee\":7}]");
        json.remove("default_witness_commitment");
        json.put("weightlimit", 88 + 200 + 97);
        BlockTemplate template = observe(json).template();
        assertThat(template.transactions().serializedSize()).isEqualTo(2 * 97);
        BlockTemplate fitting = template.fitting(200);
        assertThat(fitting.transactions().count()).isEqualTo(1);
        assertThat(fitting.terms().coinbaseValueSats()).isEqualTo(21_000_000_000L - 7);
        assertThat(fitting.fitting(200)).isSameAs(fitting);
        assertThatExceptionOfType(TemplateRefusedException.class).isThrownBy(() -> template.fitting(1_000_000));
    }

    @Test
    void aTransactionWithoutFeeCanNotBeLeftOut() {
        ObjectNode json = with("transactions", "[{\"data\":\"" + TX1 + "\"}]");
        json.remove("default_witness_commitment");
        json.put("weightlimit", 300);
        BlockTemplate template = observe(json).template();
        assertThatExceptionOfType(TemplateRefusedException.class)
                .isThrownBy(() -> template.fitting(200))
                .withMessageContaining("fee");
    }

    @Test
    void theMaskProbeFollowsTheNode() {
        assertThat(probe(with("versionrollingmask", "\"1fff0000\""))).isEqualTo(0x1fff0000);
        assertThat(probe(with("versionrollingmask", "\"0x00ffe000\""))).isEqualTo(0x00ffe000);
        assertThat(probe(with("versionrollingmask", "536862720"))).isEqualTo(536862720);
        assertThat(probe(with("versionrollingmask", "\"00000000\""))).isZero();
        assertThat(probe(with("versionrollingmask", "0"))).isZero();
        assertThat(probe(template())).isEqualTo(0x1fffe000);
        for (String malformed : List.of("\"xyz\"", "-1", "4294967296", "null", "[]", "1.5", "\"\"")) {
            assertThatExceptionOfType(TemplateRefusedException.class)
                    .as(malformed)
                    .isThrownBy(() -> probe(with("versionrollingmask", malformed)));
        }
        node.fails(RpcMethod.GET_BLOCK_TEMPLATE, FakeNode.DOWN);
        assertThat(probe(template())).isEqualTo(0x1fffe000);
    }

    private int probe(JsonNode template) {
        node.templates(template);
        return VersionMaskProbe.ask(node, Network.REGTEST, 0x1fffe000, Deadline.unbounded(clock, "probe"));
    }
}
