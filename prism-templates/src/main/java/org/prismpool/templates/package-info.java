/** The current template and its generation. */
@NullMarked
package org.prismpool.templates;

import org.jspecify.annotations.NullMarked;
