package org.prismpool.app.composition.work;

import org.prismpool.bundle.WorkBundle;
import org.prismpool.stratum.SharedWork;

/**
 * Work as it travels from the bundle service over refresh and delivery to the sessions: the bundle and its wire form, encoded
 * once for all connections.
 *
 * @param bundle what was built and signed
 * @param shared what sessions stamp jobs from; its labels' origin is the bundle
 */
public record PoolWork(WorkBundle bundle, SharedWork shared) {}
