@NullMarked
package org.prismpool.app.check;

import org.jspecify.annotations.NullMarked;
