/** Tests of the ledger measurement. */
package org.prismpool.app.bench.ledger;
