package org.prismpool.lifecycle.shutdown;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.OptionalInt;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds operating-system signals (spec 08 section 3.5). A shutdown hook would end a process with code 143; a handler that
 * only requests the stop lets {@code main} return with 0.
 *
 * <p>The handler class of the JDK is reached by reflection, since the compiler warns of it wherever it is named.
 */
public final class ProcessSignals {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessSignals.class);

    private ProcessSignals() {}

    /**
     * Lets SIGTERM and SIGINT ask for a stop and nothing else. Install it before anything that waits.
     *
     * @param controller asked with the number of the signal
     * @return true if both are bound; false if this virtual machine does not allow it
     */
    public static boolean requestStop(ShutdownController controller) {
        return onStop(number -> controller.request(OptionalInt.of(number)));
    }

    /**
     * Lets SIGTERM and SIGINT call a request and nothing else, for a program without a shutdown controller.
     *
     * @param request called with the number of the signal, on a thread of the virtual machine; must return at once
     * @return true if both are bound; false if this virtual machine does not allow it
     */
    public static boolean onStop(IntConsumer request) {
        boolean term = handle("TERM", request);
        boolean interrupt = handle("INT", request);
        return term && interrupt;
    }

    /**
     * Lets SIGUSR2 print the stacks of all threads while the process goes on.
     *
     * @param out where they are printed
     * @return false if this virtual machine keeps the signal for itself, as HotSpot on Linux does; SIGQUIT and
     *     {@code jcmd Thread.print} work on every one
     */
    public static boolean dumpThreadsOnUsr2(PrintStream out) {
        return handle("USR2", number -> dumpThreads(out));
    }

    /**
     * Prints the stacks of all threads.
     *
     * @param out where they are printed
     */
    public static void dumpThreads(PrintStream out) {
        for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
            out.printf("\"%s\" %s%n", thread.getThreadName(), thread.getThreadState());
            for (StackTraceElement frame : thread.getStackTrace()) {
                out.printf("    at %s%n", frame);
            }
        }
        out.flush();
    }

    private static boolean handle(String name, IntConsumer action) {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Object handler = Proxy.newProxyInstance(
                    handlerType.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, args) -> {
                        return switch (method.getName()) {
                            case "handle" -> {
                                action.accept(number(args[0]));
                                yield null;
                            }
                            case "equals" -> proxy == args[0];
                            case "hashCode" -> System.identityHashCode(proxy);
                            default -> "prism signal handler";
                        };
                    });
            Object signal = signalType.getConstructor(String.class).newInstance(name);
            signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, handler);
            return true;
        } catch (InvocationTargetException e) {
            LOG.atInfo().addKeyValue("signal", name).log("the virtual machine keeps a signal for itself");
            return false;
        } catch (ReflectiveOperationException e) {
            LOG.atWarn().setCause(e).addKeyValue("signal", name).log("signals cannot be handled here");
            return false;
        }
    }

    private static int number(Object signal) {
        try {
            return (Integer) signal.getClass().getMethod("getNumber").invoke(signal);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
