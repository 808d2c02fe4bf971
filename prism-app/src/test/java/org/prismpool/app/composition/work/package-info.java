@NullMarked
package org.prismpool.app.composition.work;

import org.jspecify.annotations.NullMarked;
