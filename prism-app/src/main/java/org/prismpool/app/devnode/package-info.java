/** The development node: an in-process, single-node chain with real block validation and a JSON-RPC surface like a real node's (spec 03 §7). */
@NullMarked
package org.prismpool.app.devnode;

import org.jspecify.annotations.NullMarked;
