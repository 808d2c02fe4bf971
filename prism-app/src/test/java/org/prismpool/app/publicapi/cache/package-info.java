@NullMarked
package org.prismpool.app.publicapi.cache;

import org.jspecify.annotations.NullMarked;
