/** Values and the block tree of the development node: blocks, coins, difficulty modes. */
@NullMarked
package org.prismpool.app.devnode.chain;

import org.jspecify.annotations.NullMarked;
