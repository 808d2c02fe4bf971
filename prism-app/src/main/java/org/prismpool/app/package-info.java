/** The prism program: command line and composition. */
@NullMarked
package org.prismpool.app;

import org.jspecify.annotations.NullMarked;
