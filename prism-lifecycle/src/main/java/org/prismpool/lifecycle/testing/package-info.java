/** Fakes of this module's ports for tests of embedding programs. */
@NullMarked
package org.prismpool.lifecycle.testing;

import org.jspecify.annotations.NullMarked;
