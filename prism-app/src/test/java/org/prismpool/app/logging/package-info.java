@NullMarked
package org.prismpool.app.logging;

import org.jspecify.annotations.NullMarked;
