@NullMarked
package org.prismpool.app.publicapi.route;

import org.jspecify.annotations.NullMarked;
