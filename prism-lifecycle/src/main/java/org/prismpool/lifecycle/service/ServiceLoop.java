package org.prismpool.lifecycle.service;

import java.time.Duration;
import org.prismpool.lifecycle.event.OutageLog;
import org.prismpool.lifecycle.shutdown.ShutdownInProgressException;
import org.prismpool.lifecycle.shutdown.StopSignal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Runs one service's body on its thread, over and over, as its failure policy says. Confined to that thread. */
final class ServiceLoop implements Runnable, LoopControl {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceLoop.class);

    private final ServiceSpec spec;
    private final StopSignal stop;
    private final Heartbeats heartbeats;
    private final ServiceObserver observer;
    private final Duration slice;
    private final OutageLog outages = new OutageLog(LOG, "service");
    private boolean retired;
    private boolean progressed; // the body got as far as a wait of its own since its last start
    private String phase = "";

    ServiceLoop(ServiceSpec spec, StopSignal stop, Heartbeats heartbeats, ServiceObserver observer, Duration slice) {
        this.spec = spec;
        this.stop = stop;
        this.heartbeats = heartbeats;
        this.observer = observer;
        this.slice = slice;
    }

    @Override
    public void run() {
        int failuresInARow = 0;
        // The body runs once even if the stop was faster than this thread: the watchdog looks once more on a stop.
        while (runOnce() == Outcome.RESTART && !stopping() && !retired) {
            failuresInARow = progressed ? 1 : failuresInARow + 1;
            if (!pauseBeforeRestart(failuresInARow)) {
                break;
            }
            observer.restarted(spec.name());
        }
    }

    @Override
    public boolean stopping() {
        return stop.requested();
    }

    @Override
    public void beat() {
        beat("");
    }

    @Override
    public void beat(String newPhase) {
        phase = newPhase;
        if (spec.watched()) {
            heartbeats.beat(spec.name(), newPhase);
        }
    }

    @Override
    public boolean pause(Duration wait) throws InterruptedException {
        progressed = true;
        outages.answered(spec.name(), "loop works again");
        return waitInSlices(wait);
    }

    @Override
    public void retire() {
        retired = true;
        heartbeats.remove(spec.name());
    }

    private boolean waitInSlices(Duration wait) throws InterruptedException {
        Duration left = wait;
        while (left.compareTo(slice) > 0) {
            if (stop.await(slice)) {
                return false;
            }
            beat(phase);
            left = left.minus(slice);
        }
        boolean stopped = stop.await(left);
        beat(phase);
        return !stopped;
    }

    private Outcome runOnce() {
        progressed = false;
        try {
            spec.body().run(this);
            if (!stopping() && !retired) {
                LOG.atWarn().addKeyValue("service", spec.name()).log("loop returned without being told to");
            }
            return Outcome.RESTART;
        } catch (ShutdownInProgressException e) {
            return Outcome.OVER; // the stop won a race: no failure
        } catch (Throwable e) { // the loop that owns the thread
            return stopping() ? Outcome.OVER : decide(e);
        }
    }

    private Outcome decide(Throwable cause) {
        outages.failed(Level.ERROR, spec.name(), "loop failed", cause);
        observer.failed(spec.name(), cause);
        return switch (spec.onFailure().kind()) {
            case RESTART -> Outcome.RESTART;
            case STOP -> {
                heartbeats.remove(spec.name());
                yield Outcome.OVER;
            }
            case FATAL -> {
                observer.fatal(spec.name(), cause);
                yield Outcome.OVER;
            }
        };
    }

    private boolean pauseBeforeRestart(int failuresInARow) {
        try {
            return waitInSlices(spec.onFailure().pauseAfter(failuresInARow));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What follows one run of the body. */
    private enum Outcome {
        RESTART,
        OVER
    }
}
