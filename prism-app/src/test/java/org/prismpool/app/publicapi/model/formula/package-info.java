@NullMarked
package org.prismpool.app.publicapi.model.formula;

import org.jspecify.annotations.NullMarked;
