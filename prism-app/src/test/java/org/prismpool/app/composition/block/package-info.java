@NullMarked
package org.prismpool.app.composition.block;

import org.jspecify.annotations.NullMarked;
