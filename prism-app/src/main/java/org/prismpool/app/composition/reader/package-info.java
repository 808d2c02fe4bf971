/** The separate public process: a database that it only reads, and what is served while that database is away. */
@NullMarked
package org.prismpool.app.composition.reader;

import org.jspecify.annotations.NullMarked;
