/** The public API and its page as parts of HTTP listeners. Source: spec 08 §7.1, §8.4. */
@NullMarked
package org.prismpool.app.publicapi.serve;

import org.jspecify.annotations.NullMarked;
