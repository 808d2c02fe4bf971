package org.prismpool.lifecycle.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LifecycleEventTest {

    @Test
    void itIsOneLineOfJsonWithSortedKeys() {
        LifecycleEvent event =
                LifecycleEvent.of("audit_http_stop", Map.of("outcome", "timeout", "after", 1, "deep", Map.of("b", 2)));

        assertThat(event.toJson())
                .isEqualTo("{\"after\":1,\"deep\":{\"b\":2},\"event\":\"audit_http_stop\",\"outcome\":\"timeout\"}");
    }

    @Test
    void aValueThatJsonCannotCarryIsRefused() {
        LifecycleEvent event = LifecycleEvent.of("x", Map.of("bad", new Object()));

        assertThatThrownBy(event::toJson).isInstanceOf(IllegalArgumentException.class);
    }
}
