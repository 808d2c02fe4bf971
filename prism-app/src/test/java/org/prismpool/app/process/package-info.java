/** Ends of real processes of the program. */
@NullMarked
package org.prismpool.app.process;

import org.jspecify.annotations.NullMarked;
