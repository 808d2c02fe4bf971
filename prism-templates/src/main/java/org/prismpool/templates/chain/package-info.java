/**
 * The chain's vocabulary: hashes, targets, transactions, headers, addresses and networks.
 *
 * <p>Values only: immutable, thread-safe, without I/O and without a clock. "Internal" byte order is the order of a
 * SHA-256d digest as it is serialized; "display" order is the same 32 bytes reversed, as a node's RPC shows them.
 */
@NullMarked
package org.prismpool.templates.chain;

import org.jspecify.annotations.NullMarked;
