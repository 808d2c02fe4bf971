/** Cross-field rules, one small class per family, each rule with its id. */
@NullMarked
package org.prismpool.config.rule;

import org.jspecify.annotations.NullMarked;
