@NullMarked
package org.prismpool.app.devnode.chain;

import org.jspecify.annotations.NullMarked;
