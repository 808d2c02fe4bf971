/** Templates, own coinbases and a solver for blocks that the node mines itself. */
@NullMarked
package org.prismpool.app.devnode.mining;

import org.jspecify.annotations.NullMarked;
