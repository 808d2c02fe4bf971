package org.prismpool.templates.block;

/**
 * How many blocks the pool may still find: accepted ones plus reservations of offers under way never exceed the limit.
 * Immutable.
 *
 * @param limit accepted blocks after which the pool is closed
 * @param accepted blocks accounted by this process
 * @param reserved offers whose outcome is open
 */
record BlockCapacity(int limit, int accepted, int reserved) {

    boolean closed() {
        return accepted >= limit;
    }

    boolean hasRoom() {
        return accepted + reserved < limit;
    }

    BlockCapacity reserve() {
        if (!hasRoom()) {
            throw new IllegalStateException("no room for another block");
        }
        return new BlockCapacity(limit, accepted, reserved + 1);
    }

    BlockCapacity free() {
        return new BlockCapacity(limit, accepted, reserved - 1);
    }

    BlockCapacity accept() {
        // A block that the chain proves is accounted even when the pool is closed, so this may pass the limit.
        return new BlockCapacity(limit, accepted + 1, reserved);
    }
}
