@NullMarked
package org.prismpool.app.devnode.validation;

import org.jspecify.annotations.NullMarked;
