package org.prismpool.app.devnode;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.prismpool.app.devnode.fault.CallPoint;
import org.prismpool.app.devnode.fault.ChainView;
import org.prismpool.app.devnode.fault.Fault;
import org.prismpool.app.devnode.fault.FaultPlan;
import org.prismpool.app.devnode.fault.Gate;
import org.prismpool.app.devnode.fault.SubmitScript;
import org.prismpool.app.devnode.fault.TemplateTamper;
import org.prismpool.templates.chain.Hash256;

/** Turns the JSON arguments of control commands into the types of the fault package. */
final class ControlArguments {

    private ControlArguments() {}

    static String method(JsonNode in) {
        return in.path("method").asText("*");
    }

    static int calls(JsonNode in) {
        return in.path("calls").asInt(FaultPlan.UNTIL_CLEARED);
    }

    static Hash256 hash(JsonNode in, String field) {
        return Hash256.ofDisplayHex(in.path(field).asText(""));
    }

    static Fault hold(JsonNode in, Gate gate) {
        return new Fault.Hold(gate, point(in));
    }

    static Fault fault(JsonNode in) {
        String kind = in.path("kind").asText("");
        return switch (kind) {
            case "latency" ->
                new Fault.Latency(
                        Duration.ofMillis(in.path("ms").asLong(0)),
                        Duration.ofMillis(in.path("max_ms").asLong(in.path("ms").asLong(0))));
            case "error" ->
                new Fault.RpcError(in.path("code").asInt(-1), in.path("message").asText("injected"));
            case "http" ->
                new Fault.RawAnswer(
                        in.path("status").asInt(500),
                        in.path("content_type").asText("text/plain"),
                        in.path("body").asText(""));
            case "hang" -> new Fault.Hang(in.path("headers").asBoolean(false));
            case "drip" ->
                new Fault.Drip(Duration.ofMillis(in.path("interval_ms").asLong(1_000)));
            case "drop" -> new Fault.Drop(point(in));
            default -> throw new IllegalArgumentException("unknown kind of fault");
        };
    }

    static void script(JsonNode in, SubmitScript script) {
        boolean process = in.path("process").asBoolean(false);
        List<SubmitScript.Answer> answers = new ArrayList<>();
        in.path("answers").forEach(text -> answers.add(new SubmitScript.Answer(text.asText(), process)));
        script.set(answers);
    }

    static void tamper(JsonNode in, TemplateTamper tamper) {
        if (in.path("clear").asBoolean(false)) {
            tamper.clear();
        }
        in.path("omit").forEach(field -> tamper.omit(field.asText()));
        in.path("replace").properties().forEach(field -> tamper.replace(field.getKey(), field.getValue()));
        if (in.path("freeze").asBoolean(false)) {
            tamper.freeze();
        }
    }

    static ChainView view(JsonNode in, ChainView view) {
        ChainView changed = view;
        if (in.path("initialblockdownload").isTextual()) {
            String name = in.path("initialblockdownload").asText().toUpperCase(Locale.ROOT);
            changed = changed.withInitialDownload(ChainView.InitialDownload.valueOf(name));
        }
        if (in.path("headers_ahead").isInt()) {
            changed = changed.withHeadersAhead(in.path("headers_ahead").asInt());
        }
        if (in.path("connections").isInt()) {
            changed = changed.withConnections(in.path("connections").asInt());
        }
        if (in.path("chain").isTextual()) {
            changed = changed.withChainName(in.path("chain").asText());
        }
        if (in.path("genesis").isTextual()) {
            changed = changed.withGenesis(hash(in, "genesis"));
        }
        if (in.path("feerate").isTextual()) {
            changed = changed.withFeeRate(new BigDecimal(in.path("feerate").asText()));
        }
        return changed;
    }

    private static CallPoint point(JsonNode in) {
        return in.path("point").asText("before").equals("after")
                ? CallPoint.AFTER_PROCESSING
                : CallPoint.BEFORE_PROCESSING;
    }
}
