@NullMarked
package org.prismpool.app.publicapi;

import org.jspecify.annotations.NullMarked;
