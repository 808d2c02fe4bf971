package org.prismpool.stratum.session;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.prismpool.stratum.DeliveryResult;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.InitialRequest;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.JobPurpose;
import org.prismpool.stratum.JobRequest;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.RejectReason;
import org.prismpool.stratum.SessionView;
import org.prismpool.stratum.SharedWork;
import org.prismpool.stratum.StratumConnection;
import org.prismpool.stratum.StratumMetrics.IdleSkip;
import org.prismpool.stratum.codec.ParsedLine;
import org.prismpool.stratum.codec.ResponseWriter;
import org.prismpool.stratum.share.Rejection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of one miner: takes its requests in order and answers them in order.
 *
 * <p>Confined to the connection's event loop, except for the members of {@link StratumConnection} that say otherwise. Knows
 * no sockets: what it does to its connection goes through a {@link SessionWire}.
 */
public final class Session implements StratumConnection {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final String SUBMIT = "mining.submit";
    private static final Rejection LINE_TOO_LONG = Rejection.protocol("line too long");
    private static final byte[] LINE_TOO_LONG_ID = {'n', 'u', 'l', 'l'};

    final SessionState state;
    final SessionServices services;
    final SessionWire wire;
    final AnswerQueue answers;
    final RetargetFlow retargets;
    private final JobStamper stamper;
    private final LoginFlow login;
    private final SubmitFlow submits;

    private ParsedLine.@Nullable Request held; // waits until all earlier requests are answered
    private boolean waiting; // a request is being decided elsewhere
    private boolean throttled;
    private int malformedInARow;

    /**
     * Creates the session of an admitted connection.
     *
     * @param id number of the connection
     * @param extranonce1 its extranonce1
     * @param listener listener that accepted it
     * @param services what all sessions share
     * @param wire its connection
     */
    public Session(long id, int extranonce1, ListenerConfig listener, SessionServices services, SessionWire wire) {
        boolean vardiff = services.config.difficulty().vardiff();
        this.state = new SessionState(id, extranonce1, listener, services.agents.of(""), vardiff, services.now());
        this.services = services;
        this.wire = wire;
        this.answers = new AnswerQueue(wire);
        this.stamper = new JobStamper(state, services);
        this.retargets = new RetargetFlow(this);
        this.login = new LoginFlow(this);
        this.submits = new SubmitFlow(this);
    }

    /** Tells the job issuer of this connection; called once before the first line. */
    public void opened() {
        services.ports.issuer().connected(this);
    }

    /**
     * Tells whether the next line may be handled now; {@link SessionWire#resume} follows once it may again.
     *
     * @return false while a request waits for its turn, or the session is throttled or closing
     */
    public boolean acceptsLine() {
        return !waiting
                && held == null
                && !throttled
                && !state.closing
                && answers.size() < services.config.protocol().maxPendingSubmits();
    }

    /**
     * Handles one line; only called while {@link #acceptsLine}.
     *
     * @param line the line
     * @param arrivedNanos monotonic time at which it was complete
     */
    public void handle(ParsedLine line, long arrivedNanos) {
        if (line instanceof ParsedLine.Blank) {
            return;
        }
        if (line instanceof ParsedLine.NotUtf8) {
            wire.close(DisconnectReason.NOT_UTF8);
        } else if (services.ports.pool().shuttingDown()) {
            refuseForShutdown(line);
        } else if (line instanceof ParsedLine.Malformed malformed) {
            refuseMalformed(malformed);
        } else if (line instanceof ParsedLine.Request request) {
            malformedInARow = 0;
            if (answers.size() > 0 && !request.method().equals(SUBMIT)) {
                held = request;
            } else {
                dispatch(request, arrivedNanos);
            }
        }
    }

    /** Refuses a line that is longer than the limit and closes the connection. */
    public void lineTooLong() {
        refuse(LINE_TOO_LONG_ID, LINE_TOO_LONG);
        wire.closeAfterWrites(DisconnectReason.LINE_TOO_LONG);
    }

    private void dispatch(ParsedLine.Request request, long arrivedNanos) {
        try {
            switch (request.method()) {
                case SUBMIT -> submits.submit(request, arrivedNanos);
                case "mining.authorize" -> login.authorize(request);
                case "mining.subscribe" -> login.subscribe(request);
                case "mining.configure" -> login.configure(request);
                case "mining.suggest_difficulty" -> login.suggestDifficulty(request);
                case "mining.extranonce.subscribe" -> answers.answer(ResponseWriter.accepted(request.id()));
                default -> refuse(request.id(), Rejection.protocol("unsupported method " + request.method()));
            }
        } catch (RuntimeException fault) {
            LOG.atError().setCause(fault).addKeyValue("connection", state.id).log("request failed unexpectedly");
            refuse(request.id(), Rejection.INTERNAL);
        }
    }

    private void refuseForShutdown(ParsedLine line) {
        if (line instanceof ParsedLine.Request request && request.method().equals(SUBMIT)) {
            services.metrics().rejected(RejectReason.POOL_CLOSED, provenLabel());
        }
        refuse(line.id(), Rejection.SHUTTING_DOWN);
        wire.closeAfterWrites(DisconnectReason.SHUTDOWN);
    }

    private void refuseMalformed(ParsedLine.Malformed malformed) {
        refuse(malformed.id(), Rejection.protocol(malformed.message()));
        int limit = services.config.protocol().maxProtocolErrors();
        if (limit > 0 && ++malformedInARow >= limit) {
            wire.closeAfterWrites(DisconnectReason.ERROR_BUDGET);
        }
    }

    /** Answers with an error that is no verdict on a share. */
    void refuse(byte[] id, Rejection rejection) {
        answers.answer(rejection.line(id));
    }

    /** The metric label of the authorized worker, or empty before the first authorize. */
    Optional<String> provenLabel() {
        return state.username.isEmpty() ? Optional.empty() : Optional.of(services.labels.label(state.username));
    }

    /**
     * Goes on with a request on the event loop, after a port has answered.
     *
     * @return false if the loop is gone; the step was not taken
     */
    boolean goOn(Runnable step) {
        return wire.execute(() -> {
            try {
                step.run();
            } catch (RuntimeException fault) {
                LOG.atError()
                        .setCause(fault)
                        .addKeyValue("connection", state.id)
                        .log("request failed unexpectedly after a port's answer");
                wire.close(DisconnectReason.INTERNAL);
            }
        });
    }

    /** Takes no further line until {@link #proceed}. */
    void await() {
        waiting = true;
    }

    /** Goes on after {@link #await}. */
    void proceed() {
        waiting = false;
        releaseHeld();
        wire.resume();
    }

    /** Takes no line for a while, because too many submits were refused. */
    void throttle() {
        if (!throttled) {
            throttled = true;
            services.metrics().rejectThrottled();
            wire.schedule(
                    () -> {
                        throttled = false;
                        wire.resume();
                    },
                    RetargetFlow.THROTTLE);
        }
    }

    /** Called whenever an answer that others may wait for was given. */
    void answered() {
        releaseHeld();
        wire.resume();
    }

    private void releaseHeld() {
        ParsedLine.Request next = held;
        if (next != null && answers.size() == 0 && !waiting && !state.closing) {
            held = null;
            dispatch(next, services.now());
        }
    }

    /** Requests the first job of the session's generations. */
    void requestInitialJob() {
        if (!state.eligible()) {
            return;
        }
        InitialRequest result =
                services.ports.issuer().requestInitial(this, JobRequest.of(state.epoch(), JobPurpose.INITIAL));
        if (result == InitialRequest.REFUSED) {
            wire.closeAfterWrites(DisconnectReason.INITIAL_JOB_REFUSED);
        }
    }

    /**
     * Marks the session closing and gives everything it holds back; called once by its connection.
     */
    public void closed() {
        if (state.closing) {
            return;
        }
        state.closing = true;
        state.publish();
        held = null;
        retargets.rememberOnDisconnect();
        services.usernames.release(state.username);
        services.ports.issuer().disconnected(this);
    }

    /**
     * Tells whether the session is subscribed and authorized.
     *
     * @return true once the handshake is over
     */
    public boolean ready() {
        return state.eligible();
    }

    /**
     * Tells whether the last delivered difficulty is the listener's maximum. Other threads may see an older value.
     *
     * @return true at the maximum
     */
    public boolean atMaximum() {
        return state.current.compareTo(state.listener.vardiff().range().max()) >= 0;
    }

    /**
     * Tells whether a step down for silence is due.
     *
     * @return true if the session has work, its window is over and nothing was submitted in it
     */
    public boolean idle() {
        return retargets.idle();
    }

    /**
     * Tells whether a job with another difficulty is under way.
     *
     * @return true until its outcome is known
     */
    public boolean busy() {
        return state.activeTicket != 0;
    }

    /**
     * Tells whether a request is still to be answered.
     *
     * @return true while the durable commit, or whatever else decides it, is awaited
     */
    public boolean owesAnswers() {
        return answers.size() > 0;
    }

    /**
     * Tells whether a job was ever made for this session.
     *
     * @return true if its extranonce1 may stand in a job that can still be submitted
     */
    public boolean everHadWork() {
        return stamper.used();
    }

    /**
     * Steps the difficulty down for silence, after all conditions were checked again.
     *
     * @param done runs on the event loop with the result
     */
    public void stepDownIdle(IdleDone done) {
        retargets.stepDownIdle(done);
    }

    /** Hears of the end of an idle step. */
    @FunctionalInterface
    public interface IdleDone {

        /**
         * The step is over.
         *
         * @param skipped why nothing was tried or sent, or empty
         * @param failed whether its job could not be built or written
         * @param delivered whether the lower difficulty was delivered
         */
        void ended(Optional<IdleSkip> skipped, boolean failed, boolean delivered);
    }

    @Override
    public long id() {
        return state.id;
    }

    @Override
    public String listener() {
        return state.listener.name();
    }

    @Override
    public SessionView view() {
        return state.view();
    }

    @Override
    public boolean execute(Runnable task) {
        return wire.execute(task);
    }

    @Override
    public Optional<JobContext> stamp(SharedWork work, JobRequest request) {
        return retargets.stillWanted(request) ? stamp(work, services.jobNumbers.next()) : Optional.empty();
    }

    @Override
    public Optional<JobContext> stamp(SharedWork work, String jobId) {
        if (!state.eligible()) {
            return Optional.empty();
        }
        retargets.stamping();
        return Optional.of(stamper.stamp(work, jobId));
    }

    @Override
    public CompletionStage<DeliveryResult> deliver(JobContext job, boolean clean, BooleanSupplier stillWanted) {
        return wire.update(job, clean, stillWanted).thenApply(result -> {
            if (result == DeliveryResult.WRITTEN) {
                stamper.delivered(job);
            }
            return result;
        });
    }

    @Override
    public boolean close(DisconnectReason reason) {
        boolean first = !state.view().closing();
        wire.close(reason);
        return first;
    }
}
