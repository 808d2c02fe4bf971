package org.prismpool.app;

/** Entry point of the {@code prism} program. */
public final class Main {

    private Main() {}

    /**
     * Runs one command and exits with its status.
     *
     * @param args command line
     */
    public static void main(String[] args) {
        System.out.println("prism");
    }
}
