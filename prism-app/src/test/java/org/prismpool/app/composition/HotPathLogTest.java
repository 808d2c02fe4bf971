package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class HotPathLogTest {

    interface Port {
        void accepted(String worker);

        void counted(String what);
    }

    private final Logger logger = (Logger) LoggerFactory.getLogger(HotPathLog.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final List<String> calls = new ArrayList<>();
    private final Port counting = new Port() {
        @Override
        public void accepted(String worker) {
            calls.add(worker);
        }

        @Override
        public void counted(String what) {
            throw new IllegalStateException(what);
        }
    };

    @BeforeEach
    void listen() {
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
    }

    @Test
    void aShownCallIsLoggedEscapedAndStillCounted() {
        HotPathLog.around(Port.class, counting, Set.of("accepted")).accepted("rig\n1");

        assertThat(calls).containsExactly("rig\n1");
        assertThat(lines.list)
                .singleElement()
                .satisfies(
                        line -> assertThat(line.getKeyValuePairs().toString()).contains("accepted", "rig\\u000a1"));
    }

    @Test
    void otherCallsAreNotLoggedAndFailuresPassThrough() {
        Port port = HotPathLog.around(Port.class, counting, Set.of("accepted"));

        assertThatThrownBy(() -> port.counted("broken"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken");
        assertThat(lines.list).isEmpty();
    }
}
