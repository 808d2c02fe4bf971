/** One miner's session: identity, options, difficulty and the order of its requests and answers. */
@NullMarked
package org.prismpool.stratum.session;

import org.jspecify.annotations.NullMarked;
