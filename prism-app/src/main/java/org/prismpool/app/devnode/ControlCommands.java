package org.prismpool.app.devnode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.prismpool.app.devnode.fault.CallRecord;
import org.prismpool.app.devnode.fault.Gate;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.chain.Transaction;

/**
 * The commands of {@code POST /control}: a JSON object with {@code op} and its arguments, answered with {@code ok} and what
 * the command tells. Thread-safe.
 */
final class ControlCommands {

    private static final int LARGEST_GATE_SET = 256;

    private final DevNode node;
    private final DevNodeHttp front;
    private final ObjectMapper mapper = new ObjectMapper();
    private final Map<String, Gate> gates = new ConcurrentHashMap<>();
    private final Map<String, BiConsumer<JsonNode, ObjectNode>> commands = new ConcurrentHashMap<>();

    /** What a command answers. */
    record Outcome(boolean ok, String json) {}

    ControlCommands(DevNode node, DevNodeHttp front) {
        this.node = node;
        this.front = front;
        commands.put("fault", (in, out) -> addFault(in));
        commands.put("gate", (in, out) -> addGate(in));
        commands.put("release", (in, out) -> release(in));
        commands.put("clear", (in, out) -> clear());
        commands.put(
                "submit_script",
                (in, out) -> ControlArguments.script(in, node.control().submitScript()));
        commands.put(
                "tamper",
                (in, out) -> ControlArguments.tamper(in, node.control().tamper()));
        commands.put("view", (in, out) -> node.control().view(view -> ControlArguments.view(in, view)));
        commands.put("mempool_add", (in, out) -> addTransaction(in));
        commands.put(
                "mempool_remove",
                (in, out) -> out.put("removed", node.control().removeTransaction(ControlArguments.hash(in, "txid"))));
        commands.put("mempool_bump", (in, out) -> node.control().bumpMempool());
        commands.put("mine", this::mine);
        commands.put(
                "fork",
                (in, out) -> put(
                        out,
                        node.control()
                                .mineFork(
                                        ControlArguments.hash(in, "parent"),
                                        in.path("count").asInt(1))));
        commands.put("invalidate", (in, out) -> node.control().invalidate(ControlArguments.hash(in, "hash")));
        commands.put("reconsider", (in, out) -> node.control().reconsider(ControlArguments.hash(in, "hash")));
        commands.put("prefer", (in, out) -> node.control().prefer(ControlArguments.hash(in, "hash")));
        commands.put(
                "time", (in, out) -> node.control().setTime(in.path("seconds").asLong(0)));
        commands.put("refuse", (in, out) -> refuse(in));
        commands.put("calls", (in, out) -> calls(out));
        commands.put("calls_clear", (in, out) -> node.recorder().clear());
    }

    Outcome run(byte[] body) {
        ObjectNode out = mapper.createObjectNode();
        try {
            JsonNode in = mapper.readTree(body);
            Optional<BiConsumer<JsonNode, ObjectNode>> command =
                    Optional.ofNullable(commands.get(in.path("op").asText("")));
            if (command.isEmpty()) {
                return refused(out, "unknown op");
            }
            command.get().accept(in, out);
            out.put("ok", true);
            return new Outcome(true, out + "\n");
        } catch (IOException e) {
            return refused(out, "not JSON");
        } catch (IllegalArgumentException | IllegalStateException e) {
            return refused(out, String.valueOf(e.getMessage()));
        }
    }

    private static Outcome refused(ObjectNode out, String why) {
        return new Outcome(false, out.put("ok", false).put("error", why) + "\n");
    }

    private void addFault(JsonNode in) {
        node.faults().add(ControlArguments.method(in), ControlArguments.fault(in), ControlArguments.calls(in));
    }

    private void addGate(JsonNode in) {
        String name = in.path("name").asText("");
        if (name.isEmpty() || gates.containsKey(name) || gates.size() >= LARGEST_GATE_SET) {
            throw new IllegalArgumentException("gate needs a new name");
        }
        Gate gate = new Gate();
        gates.put(name, gate);
        node.faults().add(ControlArguments.method(in), ControlArguments.hold(in, gate), ControlArguments.calls(in));
    }

    private void release(JsonNode in) {
        Optional.ofNullable(gates.remove(in.path("name").asText("")))
                .orElseThrow(() -> new IllegalArgumentException("no such gate"))
                .release();
    }

    private void clear() {
        node.faults().clear();
        gates.clear();
        node.control().submitScript().set(List.of());
        node.control().tamper().clear();
    }

    private void addTransaction(JsonNode in) {
        Transaction transaction = Transaction.parseHex(in.path("hex").asText(""));
        node.control().addTransaction(transaction, in.path("fee").asLong(0));
    }

    private void mine(JsonNode in, ObjectNode out) {
        int count = in.path("count").asInt(1);
        if (in.path("address").isTextual()) {
            Network network = node.control().network();
            P2mrAddress address = P2mrAddress.decode(network, in.path("address").asText())
                    .orElseThrow(() -> new IllegalArgumentException("address is not valid here"));
            put(out, node.control().mine(count, address));
        } else {
            put(out, node.control().mine(count));
        }
    }

    /** The answer to this command still goes out: the listener stops a little later. */
    private void refuse(JsonNode in) {
        Duration soon = Duration.ofMillis(100);
        Duration outage = Duration.ofMillis(in.path("ms").asLong(1_000));
        node.threads().later(() -> node.threads().workers().execute(front::refuseConnections), soon);
        node.threads().later(() -> node.threads().workers().execute(front::acceptConnections), soon.plus(outage));
    }

    private void calls(ObjectNode out) {
        ArrayNode list = out.putArray("calls");
        for (CallRecord call : node.recorder().calls()) {
            ObjectNode json = list.addObject()
                    .put("sequence", call.sequence())
                    .put("method", call.method())
                    .put("params_sha256", call.paramsSha256())
                    .put("thread", call.thread())
                    .put("start_nanos", call.startNanos());
            call.endNanos().ifPresent(end -> json.put("end_nanos", end));
            call.outcome().ifPresent(outcome -> json.put("outcome", outcome));
        }
    }

    private static void put(ObjectNode out, List<Hash256> hashes) {
        ArrayNode list = out.putArray("hashes");
        hashes.forEach(hash -> list.add(hash.displayHex()));
    }
}
