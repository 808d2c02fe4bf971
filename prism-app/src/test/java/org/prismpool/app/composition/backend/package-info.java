@NullMarked
package org.prismpool.app.composition.backend;

import org.jspecify.annotations.NullMarked;
