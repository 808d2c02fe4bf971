/** Where log lines go and how they look. */
@NullMarked
package org.prismpool.app.logging;

import org.jspecify.annotations.NullMarked;
