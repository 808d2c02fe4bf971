@NullMarked
package org.prismpool.app.composition;

import org.jspecify.annotations.NullMarked;
