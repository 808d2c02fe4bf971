package org.prismpool.templates;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class TemplateFingerprintTest {

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
