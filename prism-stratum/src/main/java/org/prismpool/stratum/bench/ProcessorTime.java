package org.prismpool.stratum.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/** Processor time of the threads that were alive at the start and whose names begin alike. */
final class ProcessorTime {

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long[] ids;

    ProcessorTime(String namePrefix) {
        this.ids = Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().startsWith(namePrefix))
                .mapToLong(ThreadInfo::getThreadId)
                .toArray();
    }

    /** Nanoseconds since these threads began; those of a thread that has ended count no more. */
    long nanos() {
        return Arrays.stream(ids)
                .map(threads::getThreadCpuTime)
                .filter(time -> time > 0)
                .sum();
    }
}
