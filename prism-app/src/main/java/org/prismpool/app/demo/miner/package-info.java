/**
 * The built-in CPU miner of the demo: an ordinary Stratum V1 client over TCP that shares no code with the pool it mines at.
 */
@NullMarked
package org.prismpool.app.demo.miner;

import org.jspecify.annotations.NullMarked;
