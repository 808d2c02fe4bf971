/** Who may ask the public API how often, and from which web pages. Source: spec 08 §7.1. */
@NullMarked
package org.prismpool.app.publicapi.admission;

import org.jspecify.annotations.NullMarked;
