package org.prismpool.lifecycle.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.prismpool.lifecycle.shutdown.LeasePort;
import org.prismpool.lifecycle.time.Deadline;

/** A lease that a test can look at from outside: a file that says who holds it, and a journal of what was done. */
final class FileLease implements LeasePort {

    private final Path lease;
    private final Path journal;
    private final ReentrantLock pool = new ReentrantLock(); // what the ordinary path needs and a stuck part holds
    private final boolean freshHangs;

    FileLease(Path folder, boolean freshHangs) {
        this.lease = folder.resolve("lease");
        this.journal = folder.resolve("journal");
        this.freshHangs = freshHangs;
    }

    boolean tryAcquire() {
        try {
            Files.writeString(lease, "held", StandardOpenOption.CREATE_NEW);
            return true;
        } catch (IOException heldByAnother) {
            return false;
        }
    }

    /** Does one durable write over the pool. */
    void write(String row) {
        pool.lock();
        try {
            append(row);
        } finally {
            pool.unlock();
        }
    }

    ReentrantLock pool() {
        return pool;
    }

    @Override
    public boolean supported() {
        return true;
    }

    @Override
    public boolean stopHeartbeat(Duration bound, Set<Thread> waitingForRelease) {
        return true;
    }

    @Override
    public Outcome release(Deadline deadline) {
        pool.lock();
        try {
            return expire();
        } finally {
            pool.unlock();
        }
    }

    @Override
    public Outcome releaseFreshConnection(Deadline deadline) {
        if (freshHangs) {
            hang();
        }
        return expire();
    }

    /** Never comes back and does not listen to interrupts, like a call into a stuck driver. */
    static void hang() {
        Semaphore never = new Semaphore(0);
        never.acquireUninterruptibly();
    }

    private Outcome expire() {
        append("released");
        try {
            Files.deleteIfExists(lease);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Outcome.SUCCESS;
    }

    private void append(String line) {
        try {
            Files.writeString(journal, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
