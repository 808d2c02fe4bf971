package org.prismpool.templates;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class TemplateFingerprintTest {

    private static final String TX1 =
            "020000000122222222222222222222222222222222222222222222222222222222222222220000000003222222"
                    + "ffffffff01e803000000000000225220222222222222222222222222222222222222222222222222222222222222222200000000";
    private static final String TX2 =
            "020000000001014444444444444444444444444444444444444444444444444444444444444444000000000344"
                    + "4444ffffffff01e80300000000000022522044444444444444444444444444444444444444444444444444444444444444440105"
                    + "444444444400000000";

    private static ObjectNode worked() {
        return (ObjectNode) FakeNode.json("""
                {"height":1001,"previousblockhash":"%s","bits":"1b00ffff","version":536870912,"curtime":1700000000,
                 "mintime":1699999000,"longpollid":"abc","coinbasevalue":5000000000,"transactions":[]}""".formatted("11".repeat(32)));
    }

    @Test
    void theWorkedValuesAreReproduced() {
        assertThat(TemplateFingerprint.of(worked()).hex())
                .isEqualTo("9bee0eb11054f862bc9439cb5ed5857db36bd89107e1622dd3723e59bac511f1");
        ObjectNode other = worked();
        other.put("coinbasevalue", 5000000001L);
        assertThat(TemplateFingerprint.of(other).hex())
                .isEqualTo("26167848231d3fe4dc58019380e25af6ae909795cb39547e8c0198e466e1d9f6");
    }

    /** What a regtest node answers for the first block. */
    private static ObjectNode exampleA() {
        return (ObjectNode) FakeNode.json("""
                {"capabilities":["proposal"],"version":536870912,"rules":["csv","!segwit","taproot"],"vbavailable":{},
                 "vbrequired":0,
                 "previousblockhash":"0ee96aa77c4b600850e349344fa21b107e805f5370ddc7a6189db12cf69acce6",
                 "transactions":[],"coinbaseaux":{},"coinbasevalue":21000000000,"longpollid":"0ee96aa7",
                 "target":"7fffff0000000000000000000000000000000000000000000000000000000000",
                 "mintime":1738713603,"mutable":["time","transactions","prevblock"],"noncerange":"00000000ffffffff",
                 "sigoplimit":80000,"sizelimit":2000000,"weightlimit":2000000,"curtime":1738713662,"bits":"207fffff",
                 "height":1,"versionrollingmask":"1fffe000",
                 "future_block_time":{"limit_seconds":600,"v2_active":true,"v2_activation_height":0},
                 "p2mr_validation_weight":{"per_sigop":3683,"v2_active":true,"v2_activation_height":0},
                 "default_witness_commitment":
                 "6a24aa21a9ede2f61c3f71d1defd3fa999dfa36953755c690689799962b48bebd836974e8cf9"}""");
    }

    @Test
    void theTemplatesOfTheWorkedExamplesHaveTheDocumentedFingerprints() {
        assertThat(TemplateFingerprint.of(exampleA()).hex())
                .isEqualTo("5c65c40e4672dee1bfd622f438f557a8a23c480e7c7c1def604cf2dcb663a531");
        ObjectNode later = exampleA();
        later.put("curtime", 1_800_000_000).put("mintime", 7).put("longpollid", "other");
        assertThat(TemplateFingerprint.of(later)).isEqualTo(TemplateFingerprint.of(exampleA()));
        JsonNode exampleB = FakeNode.json("""
                {"previousblockhash":"00000000000000000001a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7","height":70000,
                 "coinbasevalue":20092801000,"bits":"207fffff","version":536870912,"versionrollingmask":"1fffe000",
                 "curtime":1785000000,"transactions":[
                 {"data":"%s","txid":"%s","hash":"%s","depends":[],"fee":500,"sigops":0,"weight":97},
                 {"data":"%s","txid":"%s","hash":"%s","depends":[],"fee":500,"sigops":0,"weight":106}]}""".formatted(
                        TX1,
                        "1f6443e6c1c144534b346817009e8e76b5b4189c8f219624f84247d7fb89df7b",
                        "1f6443e6c1c144534b346817009e8e76b5b4189c8f219624f84247d7fb89df7b",
                        TX2,
                        "fabb1ef138b45b06c4767135a8482bcd110d1cca748efd0a24fe058216da87d2",
                        "a00856dbb45efd21992716be51e65a0349a7f63d6e003d3c61d4d4b8379c4283"));
        assertThat(TemplateFingerprint.of(exampleB).hex())
                .isEqualTo("a9aab479506f9b3f5e5b36783eca36a60202786f5defbc6c6cddbcb8ff27e108");
    }

    @Test
    void theClockIsNotPartOfTheIdentity() {
        ObjectNode later = worked();
        later.put("curtime", 1700000001);
        later.put("mintime", 1);
        later.put("longpollid", "def");
        assertThat(TemplateFingerprint.of(later)).isEqualTo(TemplateFingerprint.of(worked()));
    }

    @Test
    void everythingElseIs() {
        for (String field : new String[] {"height", "previousblockhash", "bits", "version", "transactions"}) {
            ObjectNode changed = worked();
            changed.put(field, "changed");
            assertThat(TemplateFingerprint.of(changed)).as(field).isNotEqualTo(TemplateFingerprint.of(worked()));
        }
        ObjectNode added = worked();
        added.put("default_witness_commitment", "00");
        assertThat(TemplateFingerprint.of(added)).isNotEqualTo(TemplateFingerprint.of(worked()));
    }

    @Test
    void aNestedClockFieldCounts() {
        ObjectNode nested = worked();
        nested.set("coinbaseaux", FakeNode.json("{\"curtime\":1}"));
        ObjectNode other = worked();
        other.set("coinbaseaux", FakeNode.json("{\"curtime\":2}"));
        assertThat(TemplateFingerprint.of(nested)).isNotEqualTo(TemplateFingerprint.of(other));
    }

    @Test
    void memberOrderAndEscapesDoNotMatter() {
        assertThat(TemplateFingerprint.of(FakeNode.json("{\"b\":[1,true,null],\"a\":{\"y\":\"\\u00e9\",\"x\":\"/\"}}")))
                .isEqualTo(TemplateFingerprint.of(
                        FakeNode.json("{\"a\":{\"x\":\"\\/\",\"y\":\"é\"},\"b\":[1,true,null]}")));
    }
}
