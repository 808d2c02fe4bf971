/** Carried balances of miners and the proof that they are right. */
@NullMarked
package org.prismpool.sharewriter.balance;

import org.jspecify.annotations.NullMarked;
