/** The chain state behind one lock: acceptance, reorganisation, persistence, waiting for a new tip. */
@NullMarked
package org.prismpool.app.devnode.state;

import org.jspecify.annotations.NullMarked;
