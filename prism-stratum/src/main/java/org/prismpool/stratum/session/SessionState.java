package org.prismpool.stratum.session;

import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.SessionEpoch;
import org.prismpool.stratum.SessionView;
import org.prismpool.stratum.SharedWork;
import org.prismpool.stratum.WorkerIdentity;
import org.prismpool.stratum.share.TipCheck.TipWork;
import org.prismpool.stratum.vardiff.VardiffPolicy;
import org.prismpool.stratum.vardiff.VardiffWindow;

/**
 * Everything that a session remembers (spec 02 §3.1). Confined to the connection's event loop, except {@link #view}, which
 * any thread may read.
 */
final class SessionState {

    final long id;
    final int extranonce1;
    final ListenerConfig listener;
    final VardiffWindow window;
    final long retargetNanos; // length of a share window, the same in personal policies

    boolean subscribed;

    @Nullable WorkerIdentity worker;

    String username = ""; // of the worker, empty before the first authorize
    long authorizationGeneration;
    long difficultyGeneration;
    int versionMask;
    AgentClasses.AgentClass agent;

    VardiffPolicy policy;
    PasswordOptions options = PasswordOptions.NONE;
    Optional<BigDecimal> suggestion = Optional.empty();
    BigDecimal current; // last delivered with a job
    BigDecimal desired; // wanted for the next job; the specification's pending value while it differs from current

    Optional<TipWork> tipWork = Optional.empty();
    boolean hasWork;
    boolean everAccepted;
    boolean closing;

    @Nullable SharedWork budgeted; // newest work whose size was compared with the budgets

    long lastTicket; // number of the newest difficulty change
    long activeTicket; // difficulty change whose job is under way, or 0

    private SessionEpoch newestEpoch;
    private volatile SessionView view;

    SessionState(
            long id,
            int extranonce1,
            ListenerConfig listener,
            AgentClasses.AgentClass agent,
            boolean vardiff,
            long now) {
        this.id = id;
        this.newestEpoch = new SessionEpoch(id, 0, 0);
        this.extranonce1 = extranonce1;
        this.listener = listener;
        this.agent = agent;
        this.window = new VardiffWindow(now);
        this.policy = listener.vardiff();
        this.retargetNanos = policy.pace().retargetNanos();
        this.current = vardiff ? policy.startDifficulty() : listener.fixedDifficulty();
        this.desired = current;
        this.view = picture();
    }

    /** The generations now; the same object as long as none changes, since views and jobs keep it. */
    SessionEpoch epoch() {
        if (newestEpoch.authorizationGeneration() != authorizationGeneration
                || newestEpoch.difficultyGeneration() != difficultyGeneration) {
            newestEpoch = new SessionEpoch(id, authorizationGeneration, difficultyGeneration);
        }
        return newestEpoch;
    }

    boolean eligible() {
        return subscribed && worker != null && !closing;
    }

    /** The floor below which no job of this session goes, whatever the network (spec 02 §6.3). */
    Optional<BigDecimal> floor() {
        return listener.floor().map(floor -> floor.max(policy.range().min()));
    }

    SessionView view() {
        return view;
    }

    /** Makes the newest values visible to other threads; called after each change of what the view shows. */
    void publish() {
        view = picture();
    }

    private SessionView picture() {
        return new SessionView(epoch(), subscribed, Optional.ofNullable(worker), desired, hasWork, closing);
    }
}
