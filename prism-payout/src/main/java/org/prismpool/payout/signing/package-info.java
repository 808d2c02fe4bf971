/** Ed25519 signatures of manifests and attestations, from 32-byte seeds. */
@NullMarked
package org.prismpool.payout.signing;

import org.jspecify.annotations.NullMarked;
