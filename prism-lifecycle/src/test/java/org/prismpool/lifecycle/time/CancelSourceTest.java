package org.prismpool.lifecycle.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CancelSourceTest {

    @Test
    void theFirstReasonStays() {
        CancelSource source = new CancelSource();

        assertThat(source.cancel("first")).isTrue();
        assertThat(source.cancel("second")).isFalse();

        assertThat(source.reason()).contains("first");
        assertThatThrownBy(source::throwIfCancelled)
                .isInstanceOf(CancelledException.class)
                .hasMessageContaining("first");
    }

    @Test
    void aCallbackRunsOnceAndAlsoWhenItComesTooLate() {
        CancelSource source = new CancelSource();
        AtomicInteger runs = new AtomicInteger();
        source.onCancel(runs::incrementAndGet);

        source.cancel("stop");
        source.cancel("stop again");
        source.onCancel(runs::incrementAndGet);

        assertThat(runs).hasValue(2);
    }

    @Test
    void aRemovedCallbackDoesNotRun() {
        CancelSource source = new CancelSource();
        AtomicInteger runs = new AtomicInteger();
        source.onCancel(runs::incrementAndGet).close();

        source.cancel("stop");

        assertThat(runs).hasValue(0);
    }

    @Test
    void everyCallbackRunsAlthoughOneFails() {
        CancelSource source = new CancelSource();
        AtomicInteger runs = new AtomicInteger();
        source.onCancel(() -> {
            throw new IllegalStateException("first callback");
        });
        source.onCancel(runs::incrementAndGet);

        assertThatThrownBy(() -> source.cancel("stop")).hasMessage("first callback");

        assertThat(runs).hasValue(1);
    }

    @Test
    void aChildFollowsItsParentButNotTheOtherWayRound() {
        CancelSource parent = new CancelSource();
        CancelSource first = CancelSource.childOf(parent);
        CancelSource second = CancelSource.childOf(parent);

        first.cancel("only the first");
        parent.cancel("everyone");

        assertThat(first.reason()).contains("only the first");
        assertThat(second.reason()).contains("everyone");
    }

    @Test
    void aChildOfACancelledParentIsCancelledFromTheStart() {
        CancelSource parent = new CancelSource();
        parent.cancel("too late");

        assertThat(CancelSource.childOf(parent).reason()).contains("too late");
    }

    @Test
    void aClosedChildLeavesItsLongLivedParent() {
        CountingSignal parent = new CountingSignal();
        CancelSource child = CancelSource.childOf(parent);

        child.close();
        child.close();

        assertThat(parent.registered).isEmpty();
        assertThat(child.cancelled()).isFalse();
    }

    @Test
    void aCancelledChildLeavesItsLongLivedParent() {
        CountingSignal parent = new CountingSignal();

        CancelSource.childOf(parent).cancel("done");

        assertThat(parent.registered).isEmpty();
    }

    @Test
    void aClosedChildNoLongerFollows() {
        CancelSource parent = new CancelSource();
        CancelSource child = CancelSource.childOf(parent);

        child.close();
        parent.cancel("after the child's time");

        assertThat(child.cancelled()).isFalse();
    }

    /** A parent that shows who is registered. */
    private static final class CountingSignal implements CancelSignal {

        private final List<Runnable> registered = new ArrayList<>();

        @Override
        public Optional<String> reason() {
            return Optional.empty();
        }

        @Override
        public Registration onCancel(Runnable callback) {
            registered.add(callback);
            return () -> registered.remove(callback);
        }
    }
}
