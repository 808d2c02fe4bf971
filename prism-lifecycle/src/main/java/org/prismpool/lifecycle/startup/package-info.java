/** Milestones of a start and progress of long operations. */
@NullMarked
package org.prismpool.lifecycle.startup;

import org.jspecify.annotations.NullMarked;
