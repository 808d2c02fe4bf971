package org.prismpool.lifecycle.watchdog;

/** Port that ends this process without running any hook. */
@FunctionalInterface
public interface ProcessExit {

    /**
     * Ends the process; does not return, except in tests that record the code.
     *
     * @param code exit code
     */
    void halt(int code);

    /**
     * Returns the port that ends this virtual machine.
     *
     * @return {@link Runtime#halt}: shutdown hooks could block
     */
    static ProcessExit ofThisProcess() {
        return code -> Runtime.getRuntime().halt(code);
    }
}
