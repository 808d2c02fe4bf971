/** Adapters of the block path: from a solved share through outbox and node to the finalized rows. */
@NullMarked
package org.prismpool.app.composition.block;

import org.jspecify.annotations.NullMarked;
