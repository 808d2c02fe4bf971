package org.prismpool.lifecycle.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what the operating system knows of this process; -1 for what it does not tell. */
final class ProcessUsage {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");
    private static final double BYTES_PER_KB = 1024;

    private ProcessUsage() {}

    static double residentBytes() {
        try {
            Matcher matcher = RESIDENT.matcher(Files.readString(STATUS));
            return matcher.find() ? Long.parseLong(matcher.group(1)) * BYTES_PER_KB : -1;
        } catch (IOException e) {
            return -1; // no such file outside Linux: the contract's value for unreadable
        }
    }

    static double openFileDescriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : -1;
    }
}
