package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.app.devnode.fault.ChainView;
import org.prismpool.app.devnode.fault.SubmitScript;
import org.prismpool.app.devnode.mining.TemplateSnapshot;
import org.prismpool.app.devnode.state.Chainstate;
import org.prismpool.app.devnode.state.SubmitVerdict;
import org.prismpool.app.devnode.validation.DecodedSubmission;
import org.prismpool.templates.chain.BlockHeader;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Network;

/** Methods that a pool mines with: templates in, blocks out. */
final class TemplateMethods {

    private static final long LONGEST_LONGPOLL_MILLIS = 60_000;

    private record HeldTemplate(TemplateSnapshot template, long builtSeconds) {}

    private final RpcContext context;
    private Optional<HeldTemplate> held = Optional.empty(); // guarded by the core's lock

    TemplateMethods(RpcContext context) {
        this.context = context;
    }

    List<RpcMethod> all() {
        return List.of(
                RpcMethod.later("getblocktemplate", List.of("template_request"), this::template),
                RpcMethod.of("submitblock", List.of("hexdata", "dummy"), this::submitBlock),
                RpcMethod.of("submitheader", List.of("hexdata"), this::submitHeader));
    }

    private CompletableFuture<JsonNode> template(Params params) {
        JsonNode request = params.isPresent(0) ? params.node(0) : Json.object();
        String mode = request.path("mode").asText("template");
        if (mode.equals("proposal")) {
            return CompletableFuture.completedFuture(proposal(request));
        }
        if (!mode.equals("template")) {
            throw new RpcException(RpcException.INVALID_PARAMETER, "Invalid mode");
        }
        checkRules(request.path("rules"));
        checkPeers();
        if (!request.path("longpollid").isTextual()) {
            return CompletableFuture.completedFuture(freshTemplate());
        }
        String longpollid = request.path("longpollid").asText();
        return context.core()
                .watch()
                .await(
                        view -> !longpollid.equals(TemplateJson.longpollId(view.hash(), view.mempoolChanges())),
                        LONGEST_LONGPOLL_MILLIS)
                .thenApply(view -> freshTemplate());
    }

    private void checkRules(JsonNode rules) {
        Network network = context.core().locked(chain -> chain.rules().network());
        for (String needed : network.templateRules()) {
            boolean named = false;
            for (JsonNode rule : rules) {
                named |= rule.asText().equals(needed);
            }
            if (!named) {
                String all = String.join("\", \"", network.templateRules());
                throw new RpcException(
                        RpcException.INVALID_PARAMETER,
                        "getblocktemplate must be called with the " + needed + " rule set (call with {\"rules\": [\""
                                + all + "\"]})");
            }
        }
    }

    /** The main network's node hands out no work while it has no peers or still downloads blocks. */
    private void checkPeers() {
        ChainView view = context.view().get();
        if (context.core().locked(chain -> chain.rules().network()) != Network.MAINNET) {
            return;
        }
        if (view.connections() == 0) {
            throw new RpcException(RpcException.NOT_CONNECTED, "Node is not connected!");
        }
        boolean downloading = context.core()
                .locked(chain -> view.isDownloading(
                        chain.tree().tip().header().time(), chain.clock().nowSeconds()));
        if (downloading) {
            throw new RpcException(RpcException.INITIAL_DOWNLOAD, "Node is in initial sync and waiting for blocks...");
        }
    }

    private JsonNode freshTemplate() {
        ObjectNode json = context.core().locked(chain -> TemplateJson.of(current(chain), chain.rules()));
        return context.tamper().apply(json);
    }

    /** A change of the mempool alone replaces a template only when it has reached its age. */
    private TemplateSnapshot current(Chainstate chain) {
        long now = chain.clock().nowSeconds();
        TemplateSnapshot fresh = TemplateSnapshot.of(chain);
        Optional<HeldTemplate> kept = held.filter(old -> old.template().parent().equals(fresh.parent())
                && now - old.builtSeconds() <= context.templateHoldSeconds()
                && context.templateHoldSeconds() > 0);
        if (kept.isPresent()) {
            return kept.get().template().at(fresh.curtime());
        }
        held = Optional.of(new HeldTemplate(fresh, now));
        return fresh;
    }

    private JsonNode proposal(JsonNode request) {
        if (!request.path("data").isTextual()) {
            throw new RpcException(RpcException.TYPE_ERROR, "Missing data String key for proposal");
        }
        DecodedSubmission decoded =
                context.decoder().decode(request.path("data").asText());
        if (decoded.isUndecodable()) {
            throw new RpcException(RpcException.DESERIALIZATION_ERROR, "Block decode failed");
        }
        Optional<String> reason = decoded.reason()
                .or(() -> context.core()
                        .locked(chain -> chain.propose(decoded.block().orElseThrow())));
        return reason.map(Json::text).orElseGet(Json::nothing);
    }

    private JsonNode submitBlock(Params params) {
        String hex = params.text(0);
        Optional<SubmitScript.Answer> scripted = context.submitScript().next();
        if (scripted.isEmpty()) {
            return process(hex);
        }
        if (scripted.get().process()) {
            process(hex);
        }
        String text = scripted.get().text();
        return text.equals("null") ? Json.nothing() : Json.text(text);
    }

    private JsonNode process(String hex) {
        DecodedSubmission decoded = context.decoder().decode(hex);
        if (decoded.isUndecodable()) {
            throw new RpcException(RpcException.DESERIALIZATION_ERROR, "Block decode failed");
        }
        Optional<RawBlock> block = decoded.block();
        Optional<String> reason = decoded.reason().or(() -> {
            SubmitVerdict verdict = context.core().locked(chain -> chain.submit(block.orElseThrow()));
            return verdict.reason();
        });
        return reason.map(Json::text).orElseGet(Json::nothing);
    }

    private JsonNode submitHeader(Params params) {
        BlockHeader header;
        try {
            header = BlockHeader.parse(Hex.decode(params.text(0)));
        } catch (IllegalArgumentException e) {
            throw new RpcException(RpcException.DESERIALIZATION_ERROR, "Block header decode failed");
        }
        Hash256 parent = header.parent();
        Optional<String> broken = context.core().locked(chain -> {
            if (chain.tree().find(parent).isEmpty()) {
                throw new RpcException(
                        RpcException.VERIFY_ERROR, "Must submit previous header (" + parent.displayHex() + ") first");
            }
            return chain.submitHeader(header);
        });
        if (broken.isPresent()) {
            throw new RpcException(RpcException.VERIFY_ERROR, broken.get());
        }
        return Json.nothing();
    }
}
