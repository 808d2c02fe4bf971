package org.prismpool.payout.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.WindowShare;

/** Identities that are recognised as a whole are those that are read text by text. */
class MemberRunsProperties {

    private static final String PROGRAM = "ab".repeat(32);

    @Property(tries = 60)
    void aListOfSharesReadsTheSameWithAndWithoutWhitespace(
            @ForAll @Size(min = 1, max = 60) List<@IntRange(max = 11) Integer> miners) {
        StringBuilder compact = new StringBuilder("[");
        for (int i = 0; i < miners.size(); i++) {
            compact.append(i == 0 ? "" : ",").append(share(i, identity(miners.get(i))));
        }
        compact.append(']');
        String spaced = compact.toString().replace(",\"order_key\"", " , \"order_key\"");

        List<WindowShare> read = read(compact.toString());

        assertThat(read).isEqualTo(read(spaced)).hasSameSizeAs(miners);
        assertThat(written(read)).isEqualTo(compact.toString());
        for (int i = 0; i < read.size(); i++) {
            for (int j = 0; j < i; j++) {
                assertThat(read.get(i).identity() == read.get(j).identity())
                        .as("one object for equal identities")
                        .isEqualTo(read.get(i).identity().equals(read.get(j).identity()));
            }
        }
    }

    /** Texts that differ in one place only, that need escapes, that are cut differently, or share the end of a run. */
    private static String identity(int number) {
        String[] texts = {
            "\"miner_id\":\"a\",\"order_key\":\"b\",\"p2mr_program_hex\":\"" + PROGRAM + "\"",
            "\"miner_id\":\"b\",\"order_key\":\"a\",\"p2mr_program_hex\":\"" + PROGRAM + "\"",
            "\"miner_id\":\"ab\",\"order_key\":\"\",\"p2mr_program_hex\":\"" + PROGRAM + "\"",
            "\"miner_id\":\"\",\"order_key\":\"ab\",\"p2mr_program_hex\":\"" + PROGRAM + "\"",
            "\"miner_id\":\"a\",\"order_key\":\"b\",\"p2mr_program_hex\":\"cd" + PROGRAM.substring(2) + "\"",
            "\"miner_id\":\"a\\\"\",\"order_key\":\"b\",\"p2mr_program_hex\":\"" + PROGRAM + "\"",
            "\"miner_id\":\"é\",\"order_key\":\"b\",\"p2mr_program_hex\":\"" + PROGRAM + "\"",
            "\"miner_id\":\"a\",\"order_key\":\"\\u0001\",\"p2mr_program_hex\":\"" + PROGRAM + "\"",
            "\"miner_id\":\"a\",\"order_key\":\"b\",\"p2mr_program_hex\":\"\"",
            "\"miner_id\":\"a\",\"order_key\":\"b\",\"p2mr_program_hex\":\"\\\\\"",
            "\"miner_id\":\"a\",\"order_key\":\"b\",\"p2mr_program_hex\":\""
                    + PROGRAM.toUpperCase(java.util.Locale.ROOT) + "\"",
            "\"miner_id\":\"" + "x".repeat(5000) + "\",\"order_key\":\"b\",\"p2mr_program_hex\":\"" + PROGRAM + "\""
        };
        return texts[number];
    }

    @Property(tries = 200)
    void aRunIsRecognisedWhereverABlockOfTheInputEnds(@ForAll @IntRange(min = 1, max = 400) int blockSize) {
        StringBuilder document = new StringBuilder("[");
        for (int i = 0; i < 20; i++) {
            document.append(i == 0 ? "" : ",").append(share(i, identity(i % 5)));
        }
        document.append(']');
        byte[] bytes = document.toString().getBytes(StandardCharsets.UTF_8);

        List<WindowShare> read = read(ExactReader.of(new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, blockSize));
            }
        }));

        assertThat(written(read)).isEqualTo(document.toString());
    }

    @Example
    void aMemberThatComesAgainAfterAKnownRunIsADuplicate() {
        String twice = identity(0) + ",\"order_key\":\"b\"";

        assertThatThrownBy(() -> read("[" + share(1, identity(0)) + "," + share(2, twice) + "]"))
                .isInstanceOf(JsonException.class)
                .hasMessageStartingWith("duplicate field `order_key`");
        assertThatThrownBy(() ->
                        read("[" + share(1, identity(0)) + "," + share(2, "\"order_key\":\"b\"," + identity(0)) + "]"))
                .isInstanceOf(JsonException.class)
                .hasMessageStartingWith("duplicate field `order_key`");
    }

    private static String share(int number, String identity) {
        return "{\"share_seq\":" + number + ",\"share_id\":\"s" + number + "\"," + identity
                + ",\"share_difficulty\":7,\"network_difficulty\":1,\"template_height\":3,\"job_id\":\"j\","
                + "\"job_issued_at_ms\":-1,\"accepted_at_ms\":2,\"ntime\":5}";
    }

    private static List<WindowShare> read(String document) {
        return read(ExactReader.of(document.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<WindowShare> read(ExactReader in) {
        IdentityPool identities = new IdentityPool();
        List<WindowShare> shares = new ArrayList<>();
        in.array();
        while (in.hasElement()) {
            shares.add(WindowShare.read(in, identities));
        }
        in.end();
        return shares;
    }

    private static String written(List<WindowShare> shares) {
        return new String(
                CanonicalWriter.bytesOf(out -> {
                    out.beginArray();
                    shares.forEach(share -> share.write(out));
                    out.endArray();
                }),
                StandardCharsets.UTF_8);
    }
}
