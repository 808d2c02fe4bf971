@NullMarked
package org.prismpool.app.endpoint;

import org.jspecify.annotations.NullMarked;
