/** Construction order, start and stop of the coordinator, and one adapter class per port; no decisions. */
@NullMarked
package org.prismpool.app.composition;

import org.jspecify.annotations.NullMarked;
