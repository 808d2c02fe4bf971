package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.prismpool.app.devnode.rpc.RpcAnswer;
import org.prismpool.templates.chain.Hex;

/** Whatever callers send, the node answers with a result or an error of its own, never with an internal one. */
class HostileInputProperties {

    private static final int INTERNAL_ERROR = -32603;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String GENESIS = "0ee96aa77c4b600850e349344fa21b107e805f5370ddc7a6189db12cf69acce6";
    private static final String ADDRESS = "qbrt1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0s8kqqny";

    private static DevNode node = DevNode.start(DevNodeConfig.forTests());

    @BeforeContainer
    static void start() {
        node.close();
        node = DevNode.start(DevNodeConfig.forTests());
        node.control().mine(2);
    }

    @AfterContainer
    static void stop() {
        node.close();
    }

    @Provide
    Arbitrary<String> methods() {
        return Arbitraries.of(node.call("help")
                .result()
                .asText()
                .lines()
                .filter(name -> !name.startsWith("waitfor"))
                .toList());
    }

    @Provide
    Arbitrary<Object> values() {
        Arbitrary<Object> scalars = Arbitraries.of(
                -1,
                0,
                1,
                2,
                1_000_000_000_000L,
                0.5,
                true,
                false,
                "",
                "x",
                "zz",
                "00",
                GENESIS,
                "zz".repeat(32),
                "33".repeat(32),
                ADDRESS,
                new ExampleBlock().hex(),
                new ExampleBlock().coinbase().hex(),
                "proposal");
        Arbitrary<Object> lists = scalars.list().ofMaxSize(3).map(list -> list);
        Arbitrary<Object> maps = Arbitraries.maps(
                        Arbitraries.of("rules", "mode", "data", "txid", "vout", "scriptPubKey"), scalars)
                .ofMaxSize(3)
                .map(map -> map);
        Arbitrary<Object> nested = maps.list().ofMaxSize(2).map(list -> list);
        return Arbitraries.oneOf(List.of(scalars, lists, maps, nested));
    }

    @Property(tries = 1_000)
    void noParametersBreakAMethod(
            @ForAll @From("methods") String method, @ForAll @Size(max = 4) List<@From("values") Object> values) {
        ArrayNode params = MAPPER.createArrayNode();
        values.forEach(value -> params.add(MAPPER.<JsonNode>valueToTree(value)));

        RpcAnswer answer = node.call(method, (JsonNode) params);

        assertThat(answer.errorCode()).as("%s %s: %s", method, params, answer).isNotEqualTo(INTERNAL_ERROR);
    }

    @Property(tries = 300)
    void noBlockBytesBreakTheDecoder(
            @ForAll @IntRange(max = 278) int position,
            @ForAll @IntRange(min = 1, max = 255) int flip,
            @ForAll @IntRange(max = 279) int length) {
        byte[] bytes = Hex.decode(new ExampleBlock().hex());
        bytes[position] ^= (byte) flip;
        String whole = Hex.encode(bytes);
        String cut = Hex.encode(bytes, 0, length);

        for (String hex : List.of(whole, cut)) {
            RpcAnswer submitted = node.call("submitblock", hex);
            RpcAnswer proposed = node.call("getblocktemplate", Map.of("mode", "proposal", "data", hex));
            assertThat(submitted.errorCode()).as(hex).isIn(0, -22);
            assertThat(proposed.errorCode()).as(hex).isIn(0, -22);
        }
    }
}
