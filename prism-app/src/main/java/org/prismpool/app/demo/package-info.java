/** The demo: development node, database, coordinator, miners and view in one process. */
@NullMarked
package org.prismpool.app.demo;

import org.jspecify.annotations.NullMarked;
