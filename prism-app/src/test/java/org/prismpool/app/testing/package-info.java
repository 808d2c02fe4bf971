/** What tests of several subjects share. */
@NullMarked
package org.prismpool.app.testing;

import org.jspecify.annotations.NullMarked;
