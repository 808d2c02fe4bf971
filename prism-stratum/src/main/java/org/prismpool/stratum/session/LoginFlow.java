package org.prismpool.stratum.session;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.prismpool.stratum.AddressLookup;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.RejectReason;
import org.prismpool.stratum.StratumMetrics.LimitScope;
import org.prismpool.stratum.WorkerIdentity;
import org.prismpool.stratum.codec.HexText;
import org.prismpool.stratum.codec.JsonValue;
import org.prismpool.stratum.codec.ParsedLine;
import org.prismpool.stratum.codec.ResponseWriter;
import org.prismpool.stratum.share.Rejection;
import org.prismpool.stratum.vardiff.Recall;
import org.prismpool.stratum.vardiff.ResumeOutcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Subscribe, authorize, configure and suggest_difficulty (spec 02 §2.1 to §2.4). Confined to the event loop. */
final class LoginFlow {

    private static final Logger LOG = LoggerFactory.getLogger(LoginFlow.class);
    private static final String ROLLING = "version-rolling";

    private static final Rejection BAD_USERNAME = Rejection.protocol("username is not valid");
    private static final Rejection EMPTY_BASE = Rejection.protocol("username base is empty");
    private static final Rejection BAD_MASK =
            Rejection.protocol("version-rolling.mask must be an 8-character hex string");
    private static final Rejection NO_CAPACITY = Rejection.protocol("initial job delivery capacity unavailable");
    private static final Rejection USERNAME_FULL = Rejection.protocol("too many connections for username");
    private static final Rejection UNAVAILABLE =
            Rejection.submit(20, RejectReason.BACKEND_RPC_UNAVAILABLE, "address validation unavailable");

    private final Session session;
    private final SessionState state;

    LoginFlow(Session session) {
        this.session = session;
        this.state = session.state;
    }

    void subscribe(ParsedLine.Request request) {
        state.subscribed = true;
        if (!request.text(0).isEmpty()) {
            state.agent = session.services.agents.of(request.text(0));
        }
        state.publish();
        int size = session.services.config.jobs().extranonce2Size();
        session.answers.answer(ResponseWriter.subscribed(request.id(), HexText.ofInt(state.extranonce1), size));
        session.requestInitialJob();
    }

    void configure(ParsedLine.Request request) {
        List<JsonValue> params = request.params();
        if (params.isEmpty() || !(params.get(0) instanceof JsonValue.Array extensions)) {
            session.answers.answer(ResponseWriter.configured(request.id(), Map.of()));
            return;
        }
        Map<String, Object> reply = new LinkedHashMap<>();
        for (JsonValue extension : extensions.items()) {
            reply.put(extension.coerced(), false);
        }
        if (reply.containsKey(ROLLING)) {
            Optional<Integer> granted = grant(params);
            if (granted.isEmpty()) {
                session.refuse(request.id(), BAD_MASK);
                return;
            }
            state.versionMask = granted.get();
            reply.put(ROLLING, granted.get() != 0);
            reply.put("version-rolling.mask", HexText.ofInt(granted.get()));
        }
        session.answers.answer(ResponseWriter.configured(request.id(), reply));
    }

    private Optional<Integer> grant(List<JsonValue> params) {
        Optional<String> requested = Optional.empty();
        if (params.size() > 1 && params.get(1) instanceof JsonValue.Obj options) {
            JsonValue mask = options.members().get("version-rolling.mask");
            if (mask != null) {
                requested = Optional.of(mask.string().orElse("not a string"));
            }
        }
        return VersionMask.grant(session.services.config.jobs().versionMask(), requested);
    }

    void authorize(ParsedLine.Request request) {
        Optional<WorkerName> parsed = WorkerName.parse(request.text(0));
        if (parsed.isEmpty()) {
            session.refuse(request.id(), BAD_USERNAME);
            return;
        }
        WorkerName name = parsed.get();
        CompletableFuture<AddressLookup> lookup =
                PortCall.of(() -> lookUp(name.base())).toCompletableFuture();
        if (lookup.isDone()) {
            resolved(request, name, lookup);
            return;
        }
        session.await();
        CompletionStage<?> unused = lookup.whenComplete((result, fault) -> session.goOn(() -> {
            if (!state.closing) {
                resolved(request, name, lookup);
                session.proceed();
            }
        }));
    }

    private CompletionStage<AddressLookup> lookUp(String base) {
        if (base.isEmpty()) {
            return orFallback(new AddressLookup.NotAnAddress());
        }
        return session.services.ports.addresses().lookUp(base).thenCompose(this::orFallback);
    }

    private CompletionStage<AddressLookup> orFallback(AddressLookup result) {
        Optional<String> fallback = session.services.config.identity().fallbackAddress();
        boolean unusable = result instanceof AddressLookup.NotAnAddress || result instanceof AddressLookup.NotP2mr;
        if (!unusable || fallback.isEmpty()) {
            return CompletableFuture.completedFuture(result);
        }
        LOG.atInfo().addKeyValue("connection", state.id).log("username cannot be paid; the fallback address is used");
        return session.services.ports.addresses().lookUp(fallback.get());
    }

    private void resolved(ParsedLine.Request request, WorkerName name, CompletableFuture<AddressLookup> lookup) {
        AddressLookup result = lookup.isCompletedExceptionally() ? new AddressLookup.Unavailable() : lookup.join();
        if (result instanceof AddressLookup.Payable payable) {
            WorkerIdentity worker =
                    new WorkerIdentity(name.full(), payable.payoutAddress(), name.worker(), payable.programHex());
            install(request, worker);
        } else if (result instanceof AddressLookup.Unavailable) {
            session.refuse(request.id(), UNAVAILABLE);
        } else if (name.base().isEmpty()) {
            session.refuse(request.id(), EMPTY_BASE);
        } else {
            String problem = result instanceof AddressLookup.NotP2mr
                    ? "username base does not resolve to a P2MR script: "
                    : "username base is not a valid qbit address: ";
            session.refuse(request.id(), Rejection.protocol(problem + name.base()));
        }
    }

    private void install(ParsedLine.Request request, WorkerIdentity worker) {
        boolean first = state.worker == null;
        if (!first && state.hasWork && !session.services.ports.issuer().hasInitialCapacity(session)) {
            session.refuse(request.id(), NO_CAPACITY);
            return;
        }
        Optional<Rejection> tooLarge = overBudget();
        if (tooLarge.isPresent()) {
            session.refuse(request.id(), tooLarge.get());
            session.wire.closeAfterWrites(DisconnectReason.COINBASE_BUDGET);
            return;
        }
        if (!session.services.usernames.move(state.username, worker.username())) {
            session.services.metrics().connectionRefused(LimitScope.USERNAME);
            session.refuse(request.id(), USERNAME_FULL);
            if (first) {
                session.wire.closeAfterWrites(DisconnectReason.USERNAME_LIMIT);
            }
            return;
        }
        state.worker = worker;
        state.username = worker.username();
        adoptDifficulty(first, PasswordOptions.parse(request.text(1)));
        state.authorizationGeneration++;
        state.publish();
        session.answers.answer(ResponseWriter.accepted(request.id()));
        session.requestInitialJob();
    }

    private Optional<Rejection> overBudget() {
        int limit = state.listener.coinbaseBudgetBytes();
        int size = session.services.budgets.lastCoinbaseBytes();
        boolean refuses = session.services.config.transport().refuseOverBudget();
        if (!refuses || limit == 0 || size <= limit || state.hasWork) {
            return Optional.empty();
        }
        return Optional.of(Rejection.protocol(
                "coinbase of " + size + " bytes exceeds the limit of " + limit + " bytes of this listener"));
    }

    private void adoptDifficulty(boolean first, PasswordOptions options) {
        state.options = options;
        Optional<BigDecimal> recalled = first ? recall() : Optional.empty();
        recalled.ifPresent(this::setBeforeFirstJob);
        DifficultyWish wish =
                DifficultyWish.resolve(state.listener.vardiff(), options, state.suggestion, state.current);
        state.policy = wish.policy();
        if (wish.target().isEmpty()) {
            return;
        }
        BigDecimal target = wish.target().get();
        if (recalled.isPresent() && recalled.get().compareTo(target) != 0) {
            session.services.metrics().resume(ResumeOutcome.OVERRIDDEN);
        }
        if (first) {
            setBeforeFirstJob(target);
        } else if (target.compareTo(state.desired) != 0) {
            state.desired = target;
            state.difficultyGeneration++;
        }
    }

    private Optional<BigDecimal> recall() {
        if (!session.services.config.difficulty().vardiff()) {
            session.services.metrics().resume(ResumeOutcome.DISABLED);
            return Optional.empty();
        }
        Recall recall = session.services.memory.recall(
                state.listener.name(), state.username, state.listener.vardiff().range(), session.services.now());
        session.services.metrics().resume(recall.outcome());
        return recall.difficulty();
    }

    private void setBeforeFirstJob(BigDecimal difficulty) {
        if (difficulty.compareTo(state.desired) != 0) {
            state.difficultyGeneration++;
        }
        state.desired = difficulty;
        state.current = difficulty;
    }

    void suggestDifficulty(ParsedLine.Request request) {
        Optional<BigDecimal> suggestion = DecimalText.positive(request.text(0));
        byte[] accepted = ResponseWriter.accepted(request.id());
        if (suggestion.isEmpty()) {
            session.answers.answer(accepted);
            return;
        }
        state.suggestion = suggestion;
        DifficultyWish wish =
                DifficultyWish.resolve(state.listener.vardiff(), state.options, suggestion, state.current);
        state.policy = wish.policy();
        BigDecimal target = wish.target().orElse(state.desired);
        if (target.compareTo(state.desired) == 0) {
            session.answers.answer(accepted);
        } else if (!state.eligible() || !state.hasWork) {
            setBeforeFirstJob(target);
            state.publish();
            session.answers.answer(accepted);
            session.requestInitialJob();
        } else {
            session.await();
            session.retargets.explicit(target, outcome -> {
                session.answers.answer(accepted);
                session.proceed();
            });
        }
    }
}
