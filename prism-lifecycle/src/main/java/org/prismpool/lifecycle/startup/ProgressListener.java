package org.prismpool.lifecycle.startup;

import java.util.OptionalLong;

/** Port that a long operation tells how far it is. Called on the operation's thread; must not block. */
public interface ProgressListener {

    /**
     * Tells that a part began.
     *
     * @param id name of the part
     */
    void phase(String id);

    /**
     * Tells how much of the part is done.
     *
     * @param done units done so far
     * @param total units in all, if known
     */
    void advance(long done, OptionalLong total);

    /** Tells that the operation is over. */
    void done();

    /**
     * Returns a listener that ignores everything.
     *
     * @return the listener
     */
    static ProgressListener none() {
        return new ProgressListener() {
            @Override
            public void phase(String id) {}

            @Override
            public void advance(long done, OptionalLong total) {}

            @Override
            public void done() {}
        };
    }
}
