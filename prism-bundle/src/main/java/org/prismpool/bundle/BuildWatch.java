package org.prismpool.bundle;

/**
 * Port to whoever judges how long builds take, such as a health page. Called on build threads; must return quickly.
 */
@FunctionalInterface
public interface BuildWatch {

    /** Watches nothing. */
    BuildWatch NONE = () -> () -> {};

    /**
     * Tells that a build begins to run.
     *
     * @return told of its end, once, however it ends; a build that was given up ends when its thread is free again
     */
    Running began();

    /** A running build. */
    @FunctionalInterface
    interface Running extends AutoCloseable {

        /** Tells that the build has ended. */
        @Override
        void close();
    }
}
