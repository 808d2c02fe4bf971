/** Single-flight, latest-wins building of work bundles. */
@NullMarked
package org.prismpool.bundle;

import org.jspecify.annotations.NullMarked;
