package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Properties;
import org.junit.jupiter.api.Test;

class PostgresTargetTest {

    private static Properties properties(String url) {
        return PostgresTarget.parse(url).properties();
    }

    @Test
    void percentEncodedPartsAreDecodedOnce() {
        PostgresTarget target = PostgresTarget.parse("postgresql://us%40er:p%3A%2Fw%25+d@db.example:5433/pr%20ism");
        assertThat(target.jdbcUrl()).isEqualTo("jdbc:postgresql://db.example:5433/pr%20ism");
        assertThat(target.properties()).containsEntry("user", "us@er").containsEntry("password", "p:/w%+d");
        assertThat(target.toString()).doesNotContain("p:/w");
    }

    @Test
    void severalHostsKeepTheirPorts() {
        assertThat(PostgresTarget.parse("postgres://u@a:1,b:2,[::1]:3/d").jdbcUrl())
                .isEqualTo("jdbc:postgresql://a:1,b:2,[::1]:3/d");
        assertThat(PostgresTarget.parse("postgres://u@/d?host=a,b&port=1,2").jdbcUrl())
                .isEqualTo("jdbc:postgresql://a:1,b:2/d");
        assertThat(PostgresTarget.parse("postgres://u@a/d?port=7").jdbcUrl()).isEqualTo("jdbc:postgresql://a:7/d");
    }

    @Test
    void parametersGetTheDriversNames() {
        Properties p = properties(
                "postgres://h/d?user=u&password=x&sslmode=require&connect_timeout=3&target_session_attrs=read-write"
                        + "&application_name=mine&keepalives_idle=9");
        assertThat(p)
                .containsEntry("user", "u")
                .containsEntry("password", "x")
                .containsEntry("sslmode", "require")
                .containsEntry("connectTimeout", "3")
                .containsEntry("targetServerType", "primary")
                .doesNotContainKey("application_name")
                .doesNotContainKey("keepalives_idle");
    }

    @Test
    void whatIsMissingGetsItsDefault() {
        assertThat(PostgresTarget.parse("postgres://u@").jdbcUrl()).isEqualTo("jdbc:postgresql://localhost/u");
        assertThat(PostgresTarget.parse("postgres:///d").jdbcUrl()).isEqualTo("jdbc:postgresql://localhost/d");
        assertThat(PostgresTarget.parse("postgresql://u@h/ignored?dbname=d").jdbcUrl())
                .isEqualTo("jdbc:postgresql://h/d");
    }

    @Test
    void brokenAddressesAreRefusedWithoutQuotingThem() {
        assertThatThrownBy(() -> PostgresTarget.parse("mysql://u:secret@h/d"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> PostgresTarget.parse("postgres://u:secret%zz@h/d"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
    }
}
