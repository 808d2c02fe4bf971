/** JSON-RPC over bytes, without a server: requests in, answers and status out. */
@NullMarked
package org.prismpool.app.devnode.http;

import org.jspecify.annotations.NullMarked;
