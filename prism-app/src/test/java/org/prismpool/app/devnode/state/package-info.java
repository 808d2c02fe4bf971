@NullMarked
package org.prismpool.app.devnode.state;

import org.jspecify.annotations.NullMarked;
