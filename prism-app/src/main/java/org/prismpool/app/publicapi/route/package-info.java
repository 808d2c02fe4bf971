/** The requests under {@code /public/v1}: paths, parameters, answers. Source: spec 08 §7.4 to §7.7. */
@NullMarked
package org.prismpool.app.publicapi.route;

import org.jspecify.annotations.NullMarked;
