@NullMarked
package org.prismpool.app.composition.reader;

import org.jspecify.annotations.NullMarked;
