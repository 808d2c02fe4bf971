/** Block rules as pure checks; each answers with the node's reject reason. */
@NullMarked
package org.prismpool.app.devnode.validation;

import org.jspecify.annotations.NullMarked;
