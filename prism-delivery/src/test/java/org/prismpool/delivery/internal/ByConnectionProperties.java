package org.prismpool.delivery.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** The sharded map against a map of the JDK, and its earlier versions against what they were. */
class ByConnectionProperties {

    @Property(tries = 200)
    void itHoldsWhatAMapHoldsAndEarlierVersionsStayAsTheyWere(
            @ForAll @Size(max = 80) List<@LongRange(min = -40, max = 40) Long> steps) {
        ByConnection<Long> map = ByConnection.empty();
        Map<Long, Long> model = new HashMap<>();
        List<Map<Long, Long>> versions = new ArrayList<>();
        List<Map<Long, Long>> expected = new ArrayList<>();
        long value = 0;
        for (long step : steps) {
            long connection = Math.abs(step);
            if (step < 0) {
                map = map.without(connection);
                model.remove(connection);
            } else {
                map = map.with(connection, ++value);
                model.put(connection, value);
            }
            assertThat(map.get(connection)).isEqualTo(model.get(connection));
            assertThat(map.containsKey(connection)).isEqualTo(model.containsKey(connection));
            assertThat(map).hasSize(model.size());
            versions.add(map);
            expected.add(new HashMap<>(model));
        }

        assertThat(versions).isEqualTo(expected);
    }
}
