/** The public HTTP API {@code /public/v1}: its ports, its router and its answers. Source: spec 08 §7.4 to §7.9. */
@NullMarked
package org.prismpool.app.publicapi;

import org.jspecify.annotations.NullMarked;
