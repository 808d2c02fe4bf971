/** The self-check: judges configuration, node, database and a running coordinator. Source: spec 01 §6. */
@NullMarked
package org.prismpool.app.check;

import org.jspecify.annotations.NullMarked;
