@NullMarked
package org.prismpool.app.publicapi.admission;

import org.jspecify.annotations.NullMarked;
