@NullMarked
package org.prismpool.app.command;

import org.jspecify.annotations.NullMarked;
