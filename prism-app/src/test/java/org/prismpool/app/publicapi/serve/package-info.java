@NullMarked
package org.prismpool.app.publicapi.serve;

import org.jspecify.annotations.NullMarked;
