/** Priority job delivery to client connections. */
@NullMarked
package org.prismpool.delivery;

import org.jspecify.annotations.NullMarked;
