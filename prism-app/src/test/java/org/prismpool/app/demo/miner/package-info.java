@NullMarked
package org.prismpool.app.demo.miner;

import org.jspecify.annotations.NullMarked;
