@NullMarked
package org.prismpool.app.devnode;

import org.jspecify.annotations.NullMarked;
