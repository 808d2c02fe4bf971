package org.prismpool.stratum.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Spec 02 §4.1. */
class WorkerNameTest {

    @ParameterizedTest
    @CsvSource({
        "addr, addr, ",
        "addr.w.x, addr, w.x",
        "addr., addr, ''",
        ".w, '', w",
        "addr.., addr, .",
        "addr_w, addr_w, ",
        "' addr.w ', ' addr', 'w '",
        "addr/w/mail@example.org, addr/w/mail@example, org",
    })
    void aUsernameIsSplitAtItsFirstDot(String username, String base, String worker) {
        WorkerName name = WorkerName.parse(username).orElseThrow();

        assertThat(name.full()).isEqualTo(username);
        assertThat(name.base()).isEqualTo(base);
        assertThat(name.worker()).isEqualTo(Optional.ofNullable(worker));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "a\nb", "a\u007f", "a\u0085", "a\ud800", "\udc00a"})
    void whatADatabaseCannotStoreIsRefused(String username) {
        assertThat(WorkerName.parse(username)).isEmpty();
    }

    @Test
    void theLengthIsBoundedInBytes() {
        assertThat(WorkerName.parse("a".repeat(256))).isPresent();
        assertThat(WorkerName.parse("a".repeat(257))).isEmpty();
        assertThat(WorkerName.parse("\u00e9".repeat(128))).isPresent();
        assertThat(WorkerName.parse("\u00e9".repeat(129))).isEmpty();
    }
}
