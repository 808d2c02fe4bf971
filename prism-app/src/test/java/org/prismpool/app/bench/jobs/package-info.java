@NullMarked
package org.prismpool.app.bench.jobs;

import org.jspecify.annotations.NullMarked;
