@NullMarked
package org.prismpool.app.bench.payout;

import org.jspecify.annotations.NullMarked;
