package org.prismpool.app.devnode;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.TemplateMetrics;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.TemplateOutcome;
import org.prismpool.templates.TemplateRepository;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.VersionLayout;
import org.prismpool.templates.rpc.HttpNodeRpc;
import org.prismpool.templates.rpc.RpcCredentials;
import org.prismpool.templates.rpc.RpcEndpoint;

/**
 * The node that judges the blocks of a test, behind its HTTP front: a development node of the test's own, or an outside
 * one.
 *
 * <p>{@code -Dprism.test.node.url=http://127.0.0.1:18452} names an outside node, with {@code -Dprism.test.node.user} and
 * {@code -Dprism.test.node.password}, or {@code -Dprism.test.node.cookie}, the path of its cookie file. Its chain must be
 * a regtest chain: the tests lengthen it.
 */
public final class RegtestNode implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** An answer as the node sent it: a result, or an error's code. */
    record Answer(JsonNode result, int errorCode) {}

    private final ObjectMapper mapper = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private final HttpClient http = HttpClient.newHttpClient();
    private final RpcEndpoint endpoint;
    private final HttpNodeRpc rpc;
    private final Runnable own;

    private RegtestNode(RpcEndpoint endpoint, Runnable own) {
        this.endpoint = endpoint;
        this.own = own;
        this.rpc = HttpNodeRpc.to(endpoint);
    }

    /** Connects to the node that the system properties name, or starts one. */
    public static RegtestNode open() {
        String url = System.getProperty("prism.test.node.url", "");
        RegtestNode node = url.isEmpty() ? started(DevNodeConfig.forTests()) : named(URI.create(url));
        try {
            node.requireRegtest();
        } catch (IllegalStateException refused) {
            node.close();
            throw refused;
        }
        return node;
    }

    /** Starts a development node. */
    static RegtestNode started(DevNodeConfig config) {
        DevNode node = DevNode.start(config);
        DevNodeHttp front = DevNodeHttp.start(
                DevNodeHttpConfig.onLoopback(HttpClientForTests.USER, HttpClientForTests.PASSWORD), node);
        RpcCredentials credentials =
                new RpcCredentials.UserPassword(HttpClientForTests.USER, HttpClientForTests.PASSWORD);
        return new RegtestNode(endpoint("127.0.0.1", front.port(), credentials), () -> {
            front.close();
            node.close();
        });
    }

    private static RegtestNode named(URI url) {
        String cookie = System.getProperty("prism.test.node.cookie", "");
        RpcCredentials credentials = cookie.isEmpty()
                ? new RpcCredentials.UserPassword(
                        System.getProperty("prism.test.node.user", ""),
                        System.getProperty("prism.test.node.password", ""))
                : new RpcCredentials.CookieFile(Path.of(cookie));
        return new RegtestNode(endpoint(url.getHost(), url.getPort(), credentials), () -> {});
    }

    /** A block of a loaded machine may take longer than the pool's own limits allow. */
    private static RpcEndpoint endpoint(String host, int port, RpcCredentials credentials) {
        return new RpcEndpoint(host, port, credentials, LIMIT, LIMIT, RpcEndpoint.DEFAULT_CONNECTIONS);
    }

    /** Refuses a chain on which blocks cost work or coins are worth something. */
    void requireRegtest() {
        String chain = rpc.getBlockchainInfo(soon()).chain();
        if (!Network.REGTEST.chainName().equals(chain)) {
            throw new IllegalStateException("these tests lengthen the chain of their node: " + endpoint.label()
                    + " has the chain " + chain + ", not regtest");
        }
    }

    /** Tells whether the rules are this chain's own: another chain of the family has another genesis block. */
    boolean hasOurRules() {
        return rpc.getBlockHash(0, soon()).equals(Network.REGTEST.genesisHash());
    }

    /** Returns the pool's client of this node. */
    public HttpNodeRpc rpc() {
        return rpc;
    }

    /** Returns where the node is and how it is entered. */
    public RpcEndpoint endpoint() {
        return endpoint;
    }

    /** Fetches a template as the pool does. */
    public TemplateObservation template() {
        TemplateRepository repository = new TemplateRepository(
                new TemplateRepository.Config(Network.REGTEST, Duration.ZERO, VersionLayout.CHAIN_ID_MASK),
                rpc,
                MonotonicClock.system(),
                TemplateMetrics.NONE);
        TemplateOutcome outcome = repository.fetch(soon(), CancelSignal.never());
        if (outcome instanceof TemplateOutcome.Fetched fetched) {
            return fetched.observation();
        }
        throw new IllegalStateException("no template: " + outcome);
    }

    /** Offers a block; empty is the node's null. */
    public Optional<String> submit(String blockHex) {
        return rpc.submitBlock(blockHex, soon());
    }

    /** Calls a method that the pool's client does not know and expects a result. */
    public JsonNode ask(String method, Object... params) throws IOException, InterruptedException {
        Answer answer = call(method, params);
        if (answer.errorCode() != 0) {
            throw new IllegalStateException(method + " failed with " + answer.errorCode());
        }
        return answer.result();
    }

    /** Calls a method that the pool's client does not know. */
    Answer call(String method, Object... params) throws IOException, InterruptedException {
        ArrayNode list = mapper.createArrayNode();
        for (Object param : params) {
            list.add(mapper.valueToTree(param));
        }
        ObjectNode request = mapper.createObjectNode()
                .put("jsonrpc", "1.0")
                .put("id", "test")
                .put("method", method)
                .set("params", list);
        HttpRequest post = HttpRequest.newBuilder(URI.create("http://" + endpoint.label() + "/"))
                .timeout(LIMIT)
                .header("Authorization", endpoint.credentials().authorization())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(mapper.writeValueAsString(request)))
                .build();
        HttpResponse<String> response = http.send(post, HttpResponse.BodyHandlers.ofString());
        JsonNode answer = mapper.readTree(response.body());
        return new Answer(
                answer.path("result"), answer.path("error").path("code").asInt(0));
    }

    /** Returns a deadline that a loaded machine keeps. */
    public static Deadline soon() {
        return Deadline.after(LIMIT, MonotonicClock.system(), "test");
    }

    @Override
    public void close() {
        rpc.close();
        own.run();
    }
}
