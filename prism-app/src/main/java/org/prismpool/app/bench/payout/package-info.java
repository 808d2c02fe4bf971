/**
 * {@code prism bench payout}: how long job summaries, audit bundles and their verification take here, in this process and from
 * the command line.
 */
@NullMarked
package org.prismpool.app.bench.payout;

import org.jspecify.annotations.NullMarked;
