/**
 * Found blocks: offered to the node first, judged by the chain, never lost.
 *
 * <p>This package owns the offer, the state of each candidate and the evidence of its acceptance. Accounting, ledger
 * rows and the durable outbox are ports (spec 03 §6).
 */
@NullMarked
package org.prismpool.templates.block;

import org.jspecify.annotations.NullMarked;
