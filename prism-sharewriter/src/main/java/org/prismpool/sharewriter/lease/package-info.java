/** The lease that makes one process the only writer: acquisition, heartbeat, self-fencing, release. */
@NullMarked
package org.prismpool.sharewriter.lease;

import org.jspecify.annotations.NullMarked;
