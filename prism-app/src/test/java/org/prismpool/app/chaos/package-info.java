@NullMarked
package org.prismpool.app.chaos;

import org.jspecify.annotations.NullMarked;
