package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SharedFieldsTest {

    private int made;
    private final SharedFields<String> fields = new SharedFields<>((bytes, from, length) -> {
        made++;
        return new String(bytes, from, length, StandardCharsets.UTF_8);
    });

    /** Asks with the text in the middle of a row. */
    private String of(String text) {
        byte[] row = ("<<<<<<<<<<" + text + ">>>>>>>>>>").getBytes(StandardCharsets.UTF_8);
        return fields.of(row, 10, row.length - 20);
    }

    @Test
    void theSameBytesAreOneObject() {
        String first = of("qb1zqqqqqqqq-one");

        assertThat(of("qb1zqqqqqqqq-one")).isSameAs(first).isEqualTo("qb1zqqqqqqqq-one");
        assertThat(made).isEqualTo(1);
    }

    @Test
    void bytesThatEndAlikeAreToldApart() {
        assertThat(of("a12345678")).isEqualTo("a12345678");
        assertThat(of("b12345678")).isEqualTo("b12345678");
        assertThat(of("a12345678")).isEqualTo("a12345678");
        assertThat(of("12345678")).isEqualTo("12345678");
        assertThat(of("")).isEmpty();
        assertThat(of("7")).isEqualTo("7");
    }

    @Test
    void twoThatShareAPlaceAreBothRemembered() {
        of("a12345678");
        of("b12345678");
        of("a12345678");
        of("b12345678");

        assertThat(made).isEqualTo(2);
    }

    @Test
    void moreThanThereIsRoomForAreStillRight() {
        int many = 4 * SharedFields.PLACES;
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < many; i++) {
                assertThat(of("job-" + i)).isEqualTo("job-" + i);
            }
        }
        assertThat(made).as("not all of them can be remembered").isGreaterThan(many);
    }

    @Test
    void fewAreSpreadOverThePlaces() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 1000; i++) {
                of(String.format("qb1z%058d", i));
            }
        }
        assertThat(made)
                .as("nearly every one of a thousand addresses is made once")
                .isLessThan(1100);
    }
}
