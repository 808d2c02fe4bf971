/** Answers of the public API that are kept for a while. Source: spec 08 §7.6. */
@NullMarked
package org.prismpool.app.publicapi.cache;

import org.jspecify.annotations.NullMarked;
