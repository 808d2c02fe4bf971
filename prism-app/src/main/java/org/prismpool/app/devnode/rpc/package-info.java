/** The JSON-RPC methods. */
@NullMarked
package org.prismpool.app.devnode.rpc;

import org.jspecify.annotations.NullMarked;
