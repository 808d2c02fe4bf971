package org.prismpool.app.composition;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Set;
import org.prismpool.config.render.ShownValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One line a share, for a look at a laboratory pool; off unless {@code PRISM_HOT_PATH_LOG} is on. Thread-safe. */
final class HotPathLog {

    private static final Logger LOG = LoggerFactory.getLogger(HotPathLog.class);

    private HotPathLog() {}

    /**
     * Logs calls of a metrics port before they are counted.
     *
     * @param port the port
     * @param counting counts them
     * @param shown names of the methods that are logged
     */
    static <T> T around(Class<T> port, T counting, Set<String> shown) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
                    if (shown.contains(method.getName())) {
                        LOG.atInfo()
                                .addKeyValue("what", method.getName())
                                // Worker names are what a miner sent.
                                .addKeyValue("of", ShownValue.escaped(Arrays.toString(arguments)))
                                .log("share");
                    }
                    try {
                        return method.invoke(counting, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause() == null ? thrown : thrown.getCause();
                    }
                }));
    }
}
