package org.prismpool.lifecycle.executor;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A task that tells when it starts and runs until it is opened. */
final class TaskGate implements Callable<String> {

    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    @Override
    public String call() throws InterruptedException {
        started.countDown();
        if (!opened.await(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the gate was never opened");
        }
        return "done";
    }

    void awaitStarted() throws InterruptedException {
        if (!started.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("the task never started");
        }
    }

    boolean started() {
        return started.getCount() == 0;
    }

    void open() {
        opened.countDown();
    }
}
