package org.prismpool.config.rule;

import static org.prismpool.config.variable.BundleVariables.BUNDLE_COMPILER;
import static org.prismpool.config.variable.BundleVariables.BUNDLE_COMPILER_COMMAND;
import static org.prismpool.config.variable.NodeVariables.QBIT_RPC_COOKIE_FILE;
import static org.prismpool.config.variable.NodeVariables.QBIT_RPC_PASSWORD;
import static org.prismpool.config.variable.NodeVariables.QBIT_RPC_USER;

import java.util.List;
import org.prismpool.config.Environment;

/** Rules K1 and K2: credentials of the node, command of the compiler. */
final class NodeRules {

    private NodeRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.of(
                        "K1",
                        "either the cookie file, or user and password",
                        NodeRules::credentials,
                        QBIT_RPC_COOKIE_FILE,
                        QBIT_RPC_USER,
                        QBIT_RPC_PASSWORD),
                Rule.of(
                        "K2",
                        "a compiler command has an effect only with the subprocess or shadow compiler",
                        (e, report) -> {
                            if (e.given(BUNDLE_COMPILER_COMMAND)
                                    && e.get(BUNDLE_COMPILER).equals("in-process")) {
                                report.warning(
                                        "has no effect with the in-process compiler",
                                        BUNDLE_COMPILER_COMMAND,
                                        BUNDLE_COMPILER);
                            }
                        },
                        BUNDLE_COMPILER_COMMAND,
                        BUNDLE_COMPILER));
    }

    private static void credentials(Environment e, RuleReport report) {
        if (e.find(QBIT_RPC_COOKIE_FILE).isPresent()) {
            if (e.find(QBIT_RPC_USER).isPresent()) {
                report.error("must not be set together with the cookie file", QBIT_RPC_USER, QBIT_RPC_COOKIE_FILE);
            }
            if (e.find(QBIT_RPC_PASSWORD).isPresent()) {
                report.error("must not be set together with the cookie file", QBIT_RPC_PASSWORD, QBIT_RPC_COOKIE_FILE);
            }
            return;
        }
        if (e.find(QBIT_RPC_USER).isEmpty()) {
            report.error("is required (the node's rpcuser), or set PRISM_QBIT_RPC_COOKIE_FILE", QBIT_RPC_USER);
        } else if (e.get(QBIT_RPC_USER).contains(":")) {
            report.error("must not contain a colon", QBIT_RPC_USER);
        }
        if (e.find(QBIT_RPC_PASSWORD).isEmpty()) {
            report.error("is required (the node's rpcpassword), or set PRISM_QBIT_RPC_COOKIE_FILE", QBIT_RPC_PASSWORD);
        }
    }
}
