package org.prismpool.lifecycle.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.executor.BoundedPriorityExecutor;
import org.prismpool.lifecycle.executor.ExecutorConfig;
import org.prismpool.lifecycle.executor.QueueFullException;
import org.prismpool.lifecycle.executor.Ticket;

/** The executor example of the README. */
class ExecutorExampleTest {

    @Test
    void itRunsWhatItAdmits() throws Exception {
        assertThat(resize()).isEqualTo("thumbnail of cat.jpg");
    }

    // example: executor
    String resize() throws Exception {
        ExecutorConfig config = ExecutorConfig.of("thumbnails", 2, 100).withAgingStep(Duration.ofSeconds(5));
        try (BoundedPriorityExecutor executor = BoundedPriorityExecutor.start(config)) {
            Ticket<String> urgent = executor.submit(0, () -> "thumbnail of cat.jpg");
            Ticket<String> someday = executor.submit(9, () -> "thumbnail of archive.jpg");
            someday.cancel(); // frees its slot at once, unless it runs already
            return urgent.future().get(10, TimeUnit.SECONDS);
        } catch (QueueFullException full) {
            return "try again later"; // submit never blocks and never runs the task itself
        }
    }
    // end
}
