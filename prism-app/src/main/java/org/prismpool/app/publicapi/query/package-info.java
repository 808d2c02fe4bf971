/** What a request of the public API asks for, already checked. Source: spec 08 §7.4, §7.7. */
@NullMarked
package org.prismpool.app.publicapi.query;

import org.jspecify.annotations.NullMarked;
