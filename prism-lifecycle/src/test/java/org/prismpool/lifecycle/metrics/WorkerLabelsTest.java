package org.prismpool.lifecycle.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WorkerLabelsTest {

    @Test
    void namesBeyondTheLimitShareOneLabel() {
        WorkerLabels labels = new WorkerLabels(100);
        Set<String> seen = new TreeSet<>();
        for (int worker = 0; worker < 150; worker++) {
            seen.add(labels.label("worker-" + worker));
        }

        assertThat(seen)
                .hasSize(101)
                .contains("_other", "worker-0", "worker-99")
                .doesNotContain("worker-100");
        assertThat(labels.label("worker-0")).isEqualTo("worker-0");
        assertThat(labels.label("worker-149")).isEqualTo("_other");
    }

    @Test
    void aLimitOfZeroPutsEveryoneInOther() {
        WorkerLabels labels = new WorkerLabels(0);

        assertThat(labels.label("worker")).isEqualTo("_other");
        assertThat(labels.label("")).isEqualTo("_other");
    }

    @Test
    void whoIsNotAuthorizedHasALabelOfItsOwn() {
        assertThat(new WorkerLabels(1).label("")).isEqualTo("_unauthenticated");
    }

    @Test
    void aLongNameIsCutTo128Characters() {
        WorkerLabels labels = new WorkerLabels(2);

        assertThat(labels.label("a".repeat(200))).isEqualTo("a".repeat(128));
        assertThat(labels.label("\uD83D\uDE00".repeat(129))).isEqualTo("\uD83D\uDE00".repeat(128));
    }

    @Test
    void aNegativeLimitIsRefused() {
        assertThatThrownBy(() -> new WorkerLabels(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
